package import SystemPackage
package import VmxArchive
import VmxLibrary
package import VmxModel
import VmxSystem

/// The place and the form of a bundle that is to be written.
package enum BundleTarget: Sendable, Equatable {
  /// An open descriptor: standard output.
  case stream(ArchiveFormat)
  /// A file.
  case file(FilePath, ArchiveFormat)
  /// A folder, which is brought up to date.
  case folder(FilePath)

  /// The name of the form of a folder, in place of that of an archive format.
  package static let folderType = BundleCopy.folderType

  /// Parses the output and the type that the user gave.
  ///
  /// - Parameters:
  ///   - path: the output; nil for standard output.
  ///   - type: `folder` or an archive format; nil to go by the suffix, and by what is there.
  /// - Throws: `usage`, `needs-file` for a type that no pipe takes.
  package init(_ path: FilePath?, type: String?) throws(Failure) {
    let named = try type.map { type throws(Failure) -> ArchiveFormat? in
      if type == Self.folderType { return nil }
      guard let format = ArchiveFormat(rawValue: type) else { throw Self.unknown(type) }
      return format
    }
    guard let path else {
      let format = type == nil ? .tar : named ?? nil
      guard let format, format.streams else {
        throw Failure(.needsFile, "'\(type ?? "")' cannot be written to a pipe")
      }
      self = .stream(format)
      return
    }
    let name = path.lastComponent?.string ?? ""
    switch named {
    case .some(nil): self = .folder(path)
    case .some(let format?): self = .file(path, format)
    case nil:
      if isFolder(path) {
        self = .folder(path)
      } else if let format = ArchiveFormat(suffixOf: name) {
        self = .file(path, format)
      } else if path.extension == nil {
        self = .folder(path)
      } else {
        throw Self.unknown(name)
      }
    }
  }

  private static func unknown(_ name: String) -> Failure {
    let types = [folderType] + ArchiveFormat.allCases.map(\.rawValue)
    return Failure(
      .usage, "no type of a bundle: '\(name)'",
      hint: "the types are \(types.joined(separator: ", ")); give one by --type")
  }

  /// The name of the type, as in `--type`.
  package var type: String {
    switch self {
    case .stream(let format), .file(_, let format): format.rawValue
    case .folder: Self.folderType
    }
  }
}
