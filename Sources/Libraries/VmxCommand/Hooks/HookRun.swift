import Glibc
import SystemPackage
import VmxModel
import VmxPresentation
import VmxSystem

/// One call of a hook: a command, the record that it reads, and its environment.
struct HookRun: Sendable {
  /// The setting that names the command.
  let key: SettingKey
  /// The argument of `/bin/sh -c`.
  let command: String
  /// The id of the episode.
  let id: String
  /// The bytes that the hook reads on standard input.
  let record: [UInt8]
  /// The complete environment.
  let variables: [String: String]

  /// - Parameters:
  ///   - row: the row in the tool's own output.
  ///   - path: the file of the video, or empty if there is none.
  ///   - inherited: the environment of the tool.
  init(
    _ hook: (key: SettingKey, text: String), after outcome: Outcome, of id: String,
    _ row: OutcomeRow, path: String, inherited: [String: String]
  ) {
    key = hook.key
    command = hook.text
    self.id = id
    record = Array(JSONText.line(row.record(nil), escaping: false))
    var variables = inherited
    variables["VMX_ID"] = id
    variables["VMX_OUTCOME"] = outcome.name
    variables["VMX_CODE"] = outcome.failure?.code.rawValue
    variables["VMX_PATH"] = path.isEmpty ? nil : path
    self.variables = variables
  }

  /// Runs the hook until it ends; its output goes to standard error.
  ///
  /// - Returns: false if an interruption ended it.
  /// - Throws: `hook-failed`.
  func perform(within milliseconds: Int64, or interruption: Interruption) throws(Failure) -> Bool {
    let deadline = Deadline(milliseconds: milliseconds)
    switch try start().wait(until: deadline, or: interruption) {
    case .ended(.exited(0)): return true
    case .ended(.exited(let status)): throw failure("ended with status \(status)")
    case .ended(.signalled(let signal)): throw failure("was ended by signal \(signal)")
    case .late: throw failure("took more than \(DurationText.text(of: milliseconds))")
    case .interrupted: return false
    }
  }

  private func start() throws(Failure) -> SpawnedProgram {
    do {
      let input = try MemoryFile("vmx-record", holding: record)
      return try SpawnedProgram.start(
        "/bin/sh", ["-c", command], environment: variables.map { "\($0.key)=\($0.value)" },
        input: input.descriptor, output: FileDescriptor(rawValue: STDERR_FILENO),
        leadsGroup: true)
    } catch {
      throw failure("did not start: \(Failure(error).summary)")
    }
  }

  private func failure(_ what: String) -> Failure {
    Failure(.hookFailed, "'\(key.rawValue)' \(what)")
  }
}
