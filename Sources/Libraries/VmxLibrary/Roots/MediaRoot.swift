package import SystemPackage
package import VmxModel
import VmxSystem

/// A folder of media files. A UUID marks it, so that an unmounted folder is never mistaken for
/// deleted files.
package struct MediaRoot: Sendable, Equatable {
  /// Its own UUID.
  package let uuid: String
  /// The folder.
  package let folder: FilePath

  /// Creates a root from verified facts.
  package init(uuid: String, folder: FilePath) {
    self.uuid = uuid
    self.folder = folder
  }

  /// The folder of received originals whose converted form is published; each is named by its
  /// digest.
  var originals: FilePath { folder.appending(".vmx").appending("originals") }

  /// Returns the path of a file or folder below the root.
  package func file(at path: PathBytes) -> FilePath {
    folder.appending(FilePath(bytes: path.bytes).components)
  }

  /// The name of the mark's draft in `.vmx`, until the mark is durable.
  static func draftOfMark(_ uuid: String) -> String { "root-\(uuid).json" }

  /// Whether a file name in `.vmx` is the name of a mark's draft.
  package static func isDraftOfMark(_ name: [UInt8]) -> Bool {
    guard let text = String(validating: name, as: UTF8.self), text.utf8.count == 46,
      text.hasPrefix("root-"), text.hasSuffix(".json")
    else { return false }
    return text.dropFirst(5).dropLast(5).allSatisfy { $0.isHexDigit || $0 == "-" }
  }

  /// The file that marks a folder as a root.
  package static func mark(in folder: FilePath) -> FilePath {
    folder.appending(".vmx").appending("root.json")
  }
}
