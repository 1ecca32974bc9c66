package import SystemPackage
package import VmxModel

/// The reason for which a thread or another program could not be started.
package enum ProcessError: CodedError, Equatable {
  /// The system refused to create a thread.
  case noThread(String, Errno)
  /// The program could not be started.
  case notStarted(FilePath, Errno)

  package var code: ErrorCode {
    switch self {
    case .noThread: .resourcesShort
    case .notStarted(_, let errno):
      switch errno {
      case .resourceTemporarilyUnavailable, .noMemory, .tooManyOpenFiles,
        .tooManyOpenFilesInSystem:
        .resourcesShort
      default: .unknownCommand
      }
    }
  }

  package var summary: String {
    switch self {
    case .noThread(let name, let errno): "cannot start the thread '\(name)': \(errno.words)"
    case .notStarted(let path, let errno): "cannot run '\(path)': \(errno.words)"
    }
  }
}
