package import SystemPackage
package import VmxModel

/// What can go wrong with a file of ours or one that we were given.
package enum FileError: CodedError, Equatable {
  /// A call on one of our files was refused.
  case failed(FileCall, FilePath, Errno)
  /// A call on a file that was given to us to read was refused.
  case unreadable(FileCall, FilePath, Errno)
  /// A symbolic link has the name of a file of ours; it is not followed.
  case isLink(FilePath)
  /// What stands in the place of one of our files is not a regular file.
  case notRegular(FilePath)
  /// What was given to us to read is not a regular file.
  case inputNotRegular(FilePath)
  /// A file that was given to us to read as a whole is larger than allowed.
  case inputTooLarge(FilePath, limit: ByteCount)
  /// A file that was given to us changed between the first and the last byte read.
  case changedWhileRead(FilePath)

  /// The number the kernel gave, where it was the kernel that refused.
  package var errno: Errno? {
    switch self {
    case .failed(_, _, let errno), .unreadable(_, _, let errno): errno
    case .isLink: .tooManySymbolicLinkLevels
    case .notRegular, .inputNotRegular, .inputTooLarge, .changedWhileRead: nil
    }
  }

  /// Whether another process removed the file or folder since it was listed, or put something of
  /// another kind in its place.
  package var isOfVanished: Bool {
    [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(errno)
  }

  /// The file it is about.
  package var path: FilePath {
    switch self {
    case .failed(_, let path, _), .unreadable(_, let path, _): path
    case .isLink(let path), .notRegular(let path), .inputNotRegular(let path),
      .inputTooLarge(let path, _), .changedWhileRead(let path):
      path
    }
  }

  package var code: ErrorCode {
    switch self {
    case .failed(let call, _, let errno):
      switch errno {
      case .noSpace, .diskQuotaExceeded: .diskFull
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: .resourcesShort
      case .fileExists where call == .rename || call == .link: .nameTaken
      default: .mediaUnwritable
      }
    case .unreadable(_, _, let errno):
      switch errno {
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: .resourcesShort
      default: .inputMissing
      }
    case .isLink, .notRegular: .mediaUnwritable
    case .inputNotRegular, .inputTooLarge: .inputMissing
    case .changedWhileRead: .inputChanged
    }
  }

  package var summary: String {
    switch self {
    case .failed(let call, let path, let errno), .unreadable(let call, let path, let errno):
      "cannot \(call.rawValue) '\(path)': \(errno.words)"
    case .isLink(let path): "'\(path)' is a symbolic link"
    case .notRegular(let path), .inputNotRegular(let path):
      "'\(path)' is not a regular file"
    case .inputTooLarge(let path, let limit): "'\(path)' is larger than \(limit.bytes) bytes"
    case .changedWhileRead(let path): "'\(path)' changed while it was read"
    }
  }

  /// The same failure of the path that the user knows, instead of a relative or temporary one.
  package func about(_ path: FilePath) -> FileError {
    guard case .failed(let call, _, let errno) = self else { return self }
    return .failed(call, path, errno)
  }

  /// The same failure, told of a file that was given to us.
  var ofInput: FileError {
    switch self {
    case .failed(let call, let path, let errno): .unreadable(call, path, errno)
    case .isLink(let path): .unreadable(.open, path, .tooManySymbolicLinkLevels)
    case .notRegular(let path): .inputNotRegular(path)
    default: self
    }
  }
}
