import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The content of the file that marks a folder as a root.
struct RootMark: Sendable {
  /// The UUID of the root.
  let root: String
  /// The UUID of the library.
  let library: String

  /// Creates a mark.
  init(root: String, library: String) {
    self.root = root
    self.library = library
  }

  /// Reads the mark in a file; nil where no file exists.
  ///
  /// - Throws: `root-foreign` for a file that is not a mark of vmx, and errors of the file system.
  init?(at path: FilePath) throws {
    guard let bytes = try RegularFile.prefixIfPresent(of: path, upTo: 4096) else { return nil }
    do throws(JSONSyntaxError) {
      let mark = try JSONParser().parse(bytes).object
      if let root = mark?["root"]?.string, let library = mark?["library"]?.string {
        self.init(root: root, library: library)
        return
      }
    } catch {
      throw Failure(
        .rootForeign, "the mark of the folder cannot be read: '\(path)': \(error.reason)")
    }
    throw Failure(.rootForeign, "the mark of the folder is not one of ours: '\(path)'")
  }

  /// The content of the file.
  var bytes: [UInt8] {
    var object = JSONObject()
    object.append("root", root)
    object.append("library", library)
    var bytes: [UInt8] = []
    JSONWriter.append(object, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
