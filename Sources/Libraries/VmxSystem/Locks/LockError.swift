package import SystemPackage
package import VmxModel

/// The reason for which a lock was not acquired.
package enum LockError: CodedError, Equatable {
  /// Another owner held it for the whole timeout, in milliseconds; the holder's name comes from its
  /// hint and may be outdated.
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

  /// The hint where a file of vmx is a symbolic link.
  package static let linkHint = "put the file itself there; a symbolic link is not followed"

  /// Maps the errno of a failed lock call.
  init(_ errno: Errno, _ path: FilePath) {
    switch errno {
    case .noLocks, .invalidArgument, .notSupported, .noFunction: self = .unsupported(path, errno)
    default: self = .unusable(.failed(.lock, path, errno))
    }
  }
}
