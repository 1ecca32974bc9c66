import SystemPackage
import VmxModel
import VmxSystem

/// Asks other programs short questions.
struct ProgramAnswer: Sendable {
  /// Bytes of an answer that are read.
  private static let limit = 4096

  /// What a program printed, if it ended with status 0 in time; nil otherwise.
  let of: @Sendable (_ program: String, _ arguments: [String], _ milliseconds: Int64) -> String?

  /// Runs programs of the system; the shell finds them by its PATH and keeps their complaints, which
  /// nobody asked for, from us.
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
