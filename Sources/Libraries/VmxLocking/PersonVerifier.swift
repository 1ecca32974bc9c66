import Glibc
package import SystemPackage
import VmxModel
package import VmxSystem

// The helper is a program that the user trusts to tell one person from another: by a fingerprint, or by
// the system's own log-in. Its path comes from a settings file, and is compared with the path that was
// sealed with the PIN: a settings file alone, or an environment that names another one, changes
// nothing. It gets no PIN, and an environment of its own, so that no variable leads it elsewhere.

/// The program of the setting `lock.helper`, which verifies a person.
package struct PersonVerifier: Sendable {
  private let path: FilePath
  private let timeout: Int64
  private let terminal: String?
  private let note: @Sendable (String) -> Void
  private let interruption: Interruption

  /// Creates a helper.
  ///
  /// - Parameters:
  ///   - path: its absolute path.
  ///   - timeout: how long it may take, in milliseconds.
  ///   - terminal: the value of `TERM`.
  ///   - note: receives a message where it could not tell.
  package init(
    _ path: FilePath, timeout: Int64, terminal: String?, interruption: Interruption,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.timeout = timeout
    self.terminal = terminal
    self.interruption = interruption
    self.note = note
  }

  /// Runs the helper: 0 verifies the person, 1 refuses it, everything else is not available.
  ///
  /// - Parameter purpose: passed on as `VMX_LOCK_PURPOSE`.
  /// - Throws: `WorkEnded.interrupted`.
  package func answer(for purpose: String) throws -> PINCheck.Answer {
    var environment = [
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
      "VMX_LOCK_PURPOSE=\(purpose)", "VMX_LOCK_USER=\(userName())",
    ]
    if let terminal { environment.append("TERM=\(terminal)") }
    let program: SpawnedProgram
    do throws(ProcessError) {
      // Not in a group of its own: it may ask on the terminal.
      program = try SpawnedProgram.start(
        path, [], environment: environment, output: FileDescriptor(rawValue: STDERR_FILENO))
    } catch {
      note("\(error.summary); the PIN is asked for")
      return .unavailable
    }
    switch program.wait(until: Deadline(milliseconds: timeout), or: interruption) {
    case .ended(.exited(0)): return .verified
    case .ended(.exited(1)): return .refused
    case .ended(.exited(75)): break
    case .ended(.exited(let status)): note("'\(path)' ended with \(status); the PIN is asked for")
    case .ended(.signalled(let signal)):
      note("'\(path)' was ended by signal \(signal); the PIN is asked for")
    case .late: note("'\(path)' took too long; the PIN is asked for")
    case .interrupted: throw WorkEnded.interrupted
    }
    return .unavailable
  }
}
