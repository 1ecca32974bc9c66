import Glibc
package import SystemPackage
import VmxModel
package import VmxSystem

// The helper is a program that the user trusts to verify a person: by a fingerprint, or by the
// system's login. Its path comes from a settings file and is compared with the path sealed by the
// PIN. A changed settings file or environment alone thus has no effect. The helper gets no PIN, and
// a fixed environment, so that no variable can redirect it.

/// The program of the setting `lock.helper`, which verifies the user.
package struct PersonVerifier: Sendable {
  private let path: FilePath
  private let timeout: Int64
  private let terminal: String?
  private let note: @Sendable (String) -> Void
  private let interruption: Interruption

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - path: the absolute path of the helper.
  ///   - timeout: the timeout in milliseconds.
  ///   - terminal: the value of `TERM`.
  ///   - note: receives a message if the helper is unavailable.
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

  /// Runs the helper: exit status 0 verifies the user, 1 refuses, all others mean unavailable.
  ///
  /// - Parameter purpose: passed to the helper as `VMX_LOCK_PURPOSE`.
  /// - Throws: `WorkEnded.interrupted`.
  package func verify(for purpose: String) throws -> PINCheck.Outcome {
    var environment = [
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
      "VMX_LOCK_PURPOSE=\(purpose)", "VMX_LOCK_USER=\(userName())",
    ]
    if let terminal { environment.append("TERM=\(terminal)") }
    let program: SpawnedProgram
    do throws(ProcessError) {
      // Not in a separate process group: the helper may prompt on the terminal.
      program = try SpawnedProgram.start(
        ProgramCall(path, [], environment: environment),
        output: FileDescriptor(rawValue: STDERR_FILENO))
    } catch {
      note("\(error.summary); asking for the PIN")
      return .unavailable
    }
    switch program.wait(until: Deadline(milliseconds: timeout), or: interruption) {
    case .ended(.exited(0)): return .verified
    case .ended(.exited(1)): return .refused
    case .ended(.exited(75)): break
    case .ended(.exited(let status)):
      note("'\(path)' exited with status \(status); asking for the PIN")
    case .ended(.signalled(let signal)):
      note("'\(path)' was killed by signal \(signal); asking for the PIN")
    case .timedOut: note("'\(path)' timed out; asking for the PIN")
    case .interrupted: throw WorkEnded.interrupted
    }
    return .unavailable
  }
}
