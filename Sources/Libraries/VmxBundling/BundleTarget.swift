package import SystemPackage
package import VmxArchive
import VmxLibrary
package import VmxModel
import VmxSystem

/// The destination and the format of a bundle to write.
package enum BundleTarget: Sendable, Equatable {
  /// Standard output.
  case stream(ArchiveFormat)
  /// A file.
  case file(FilePath, ArchiveFormat)
  /// A folder, which is updated.
  case folder(FilePath)

  /// The type name of a folder, which is not an archive format.
  package static let folderType = BundleCopy.folderType

  /// Determines the target from the output and the type given by the user.
  ///
  /// - Parameters:
  ///   - path: the output; nil for standard output.
  ///   - type: `folder` or an archive format; nil to infer it from an existing folder or the suffix
  ///     of the path.
  /// - Throws: `usage`, `needs-file` for a type that cannot be written to a pipe.
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
