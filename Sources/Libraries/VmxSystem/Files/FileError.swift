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
  /// There is something of this name that is no regular file.
  case notRegular(FilePath)
  /// A file that was given to us changed between the first and the last byte read.
  case changedWhileRead(FilePath)

  /// The number the kernel gave, where it was the kernel that refused.
  package var errno: Errno? {
    switch self {
    case .failed(_, _, let errno), .unreadable(_, _, let errno): errno
    case .isLink: .tooManySymbolicLinkLevels
    case .notRegular, .changedWhileRead: nil
    }
  }

  /// The file it is about.
  package var path: FilePath {
    switch self {
    case .failed(_, let path, _), .unreadable(_, let path, _): path
    case .isLink(let path), .notRegular(let path), .changedWhileRead(let path): path
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
    case .isLink: .mediaUnwritable
    case .notRegular: .inputMissing
    case .changedWhileRead: .inputChanged
    }
  }

  package var summary: String {
    switch self {
    case .failed(let call, let path, let errno), .unreadable(let call, let path, let errno):
      "cannot \(call.rawValue) '\(path)': \(errno.words)"
    case .isLink(let path): "'\(path)' is a symbolic link"
    case .notRegular(let path): "'\(path)' is not a regular file"
    case .changedWhileRead(let path): "'\(path)' changed while it was read"
    }
  }

  /// The same failure, told of the file that a person knows instead of one that stands for it.
  func about(_ path: FilePath) -> FileError {
    guard case .failed(let call, _, let errno) = self else { return self }
    return .failed(call, path, errno)
  }

  /// The same failure, told of a file that was given to us.
  var ofInput: FileError {
    if case .isLink(let path) = self { return .unreadable(.open, path, .tooManySymbolicLinkLevels) }
    guard case .failed(let call, let path, let errno) = self else { return self }
    return .unreadable(call, path, errno)
  }
}
