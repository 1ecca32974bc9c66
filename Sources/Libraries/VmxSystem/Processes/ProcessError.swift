package import SystemPackage
package import VmxModel

/// Why a thread could not be started.
package enum ProcessError: CodedError, Equatable {
  /// The system refuses a thread.
  case noThread(String, Errno)

  package var code: ErrorCode { .resourcesShort }

  package var summary: String {
    switch self {
    case .noThread(let name, let errno): "cannot start the thread '\(name)': \(errno.words)"
    }
  }
}
