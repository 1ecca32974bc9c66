import SystemPackage
import VmxModel
import VmxSystem

/// Runs other programs and returns their short output.
struct ProgramAnswer: Sendable {
  /// The maximum number of output bytes that are read.
  private static let limit = 4096

  /// Runs a program; returns its output if it exited with status 0 in time, else nil.
  let of: @Sendable (_ program: String, _ arguments: [String], _ milliseconds: Int64) -> String?

  /// Runs programs of the system. The shell finds them by its PATH and discards their error
  /// messages.
  static func ofSystem(_ environment: [String: String]) -> ProgramAnswer {
    let variables = environment.map { "\($0.key)=\($0.value)" }
    return ProgramAnswer { program, arguments, milliseconds in
      do throws(ProcessError) {
        let heard = try SpawnedProgram.captureOutput(
          "/bin/sh", ["-c", #"exec "$0" "$@" 2>/dev/null"#, program] + arguments,
          environment: variables, limit: limit, until: Deadline(milliseconds: milliseconds))
        guard case .ended(.exited(0), let output, _) = heard else { return nil }
        return String(decoding: output, as: UTF8.self)
      } catch {
        return nil
      }
    }
  }
}
