package import SystemPackage
package import VmxModel
import VmxSystem

/// A folder that holds media, marked with a UUID so that 'not mounted' is never 'deleted'.
package struct MediaRoot: Sendable, Equatable {
  /// Its own UUID.
  package let uuid: String
  /// The folder.
  package let folder: FilePath

  /// A root that was looked at.
  package init(uuid: String, folder: FilePath) {
    self.uuid = uuid
    self.folder = folder
  }

  /// The folder of files as they came, where another form of them is kept; each has its digest as
  /// its name.
  var originals: FilePath { folder.appending(".vmx").appending("originals") }

  /// A file or folder below it.
  package func file(at path: PathBytes) -> FilePath {
    folder.appending(FilePath(bytes: path.bytes).components)
  }

  /// The name of the mark's draft in `.vmx`, until the mark is durable.
  static func draftOfMark(_ uuid: String) -> String { "root-\(uuid).json" }

  /// Whether a file in `.vmx` has the name of such a draft.
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
