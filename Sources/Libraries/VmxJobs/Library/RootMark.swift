import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// What stands in the file that marks a folder as a root.
struct RootMark: Sendable {
  /// UUID of the root.
  let root: String
  /// UUID of the library.
  let library: String

  /// A mark.
  init(root: String, library: String) {
    self.root = root
    self.library = library
  }

  /// Reads the mark in a file; nil where there is no file.
  ///
  /// - Throws: `root-foreign` for what is no mark of ours, and what the disk throws.
  init?(at path: FilePath) throws {
    guard let bytes = try MediaFile.prefixIfPresent(of: path, upTo: 4096) else { return nil }
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

  /// The text of the file.
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
