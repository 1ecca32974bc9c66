package import SystemPackage
package import VmxModel

/// Why a lock was not had.
package enum LockError: CodedError, Equatable {
  /// Another owner kept it for all the milliseconds we waited; the holder is only as good as its
  /// hint.
  case busy(what: String, path: FilePath, holder: String?, waited: Int64)
  /// The caller asked to stop waiting.
  case interrupted(what: String, path: FilePath)
  /// The file system has no byte-range locks.
  case unsupported(FilePath, Errno)
  /// The lock file cannot be opened or used.
  case unusable(FileError)

  package var code: ErrorCode {
    switch self {
    case .busy: .lockBusy
    case .interrupted: .interrupted
    case .unsupported: .lockUnsupported
    case .unusable(let error):
      switch error.code {
      case .diskFull: .storeFull
      case .resourcesShort: .resourcesShort
      default: .storeUnreadable
      }
    }
  }

  package var summary: String {
    switch self {
    case .busy(let what, let path, let holder, let waited):
      "\(what) in '\(path)' was busy for \(waited) ms, held by \(holder ?? "another process")"
    case .interrupted(let what, let path): "interrupted while waiting for \(what) in '\(path)'"
    case .unsupported(let path, let errno):
      "no byte-range locks on the file system of '\(path)': \(errno.words)"
    case .unusable(let error): error.summary
    }
  }

  package var hint: String {
    if case .unusable(.isLink) = self { return Self.linkHint }
    return code.entry.hint
  }

  /// The next step where a symbolic link stands in the place of a file of ours.
  package static let linkHint = "put the file itself there; a symbolic link is not followed"

  /// What the errno of a refused lock call means.
  init(_ errno: Errno, _ path: FilePath) {
    switch errno {
    case .noLocks, .invalidArgument, .notSupported, .noFunction: self = .unsupported(path, errno)
    default: self = .unusable(.failed(.lock, path, errno))
    }
  }
}
