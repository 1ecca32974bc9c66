import Glibc
import SystemPackage
package import VmxModel
package import VmxSettings
package import VmxSystem

// Hooks never delay the work that they follow. They run one after another on a separate thread, in
// the order of the results. A worker blocks only when 1000 hooks are queued. A failed hook is
// reported and changes nothing else: the result is already recorded and durable.

/// Runs the user's commands after the results of one run.
package final class Hooks: Sendable {
  /// The maximum number of queued hooks.
  private static let capacity = 1000

  private let commands: HookCommands
  private let variables: [String: String]
  private let calls = Channel<HookCall>(capacity: capacity)
  private let thread: WorkerThread?

  /// Creates hooks for a tool with these environment variables. An interruption ends them.
  ///
  /// - Parameters:
  ///   - report: receives the failure of a hook and the id of its episode.
  ///   - note: receives a message for the user.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(
    _ commands: HookCommands, variables: [String: String], interruption: Interruption,
    report: @escaping @Sendable (Failure, String) -> Void,
    note: @escaping @Sendable (String) -> Void
  ) throws(ProcessError) {
    self.commands = commands
    self.variables = variables
    guard !commands.isEmpty else {
      thread = nil
      return
    }
    thread = try WorkerThread.start("vmx-hooks") { [calls] in
      var left = 0
      while let call = calls.receive() {
        guard !interruption.isRequested else {
          left += 1
          continue
        }
        do throws(Failure) {
          if try !call.perform(within: commands.timeout, or: interruption) { left += 1 }
        } catch {
          report(error, call.id)
        }
      }
      if left > 0 { note("\(left) \(left == 1 ? "hook was" : "hooks were") skipped") }
    }
  }

  /// Enqueues the hook of a result, if there is one. The result must be durable before this call.
  ///
  /// - Parameters:
  ///   - record: the printed record of the result.
  ///   - path: the file of the video, or empty if there is none.
  package func enqueue(
    _ result: OperationResult, of id: EpisodeID, record: @autoclosure () -> [UInt8],
    path: @autoclosure () -> String
  ) {
    guard let hook = commands.command(after: result) else { return }
    var variables = variables
    let path = path()
    variables["VMX_ID"] = id.description
    variables["VMX_OUTCOME"] = result.name
    variables["VMX_CODE"] = result.failure?.code.rawValue
    variables["VMX_PATH"] = path.isEmpty ? nil : path
    calls.send(
      HookCall(
        key: hook.key, command: hook.text, id: id.description, record: record(),
        variables: variables))
  }

  /// Waits for all running and queued hooks. The caller must not enqueue another hook afterwards.
  package func finish() {
    calls.close()
    thread?.join()
  }
}

/// The commands that the user configured to run after results; read only from the settings files.
package struct HookCommands: Sendable, Equatable {
  /// The command to run when an episode has become ready; nil for none.
  package let ready: String?
  /// The command to run when an episode has failed; nil for none.
  package let failed: String?
  /// The timeout of one command, in milliseconds.
  package let timeout: Int64

  /// Reads the commands from the settings.
  ///
  /// - Throws: `bad-setting`.
  package init(_ settings: Settings) throws(Failure) {
    ready = try settings.text(.hookReady)
    failed = try settings.text(.hookFailed)
    timeout = try settings.milliseconds(.hookTimeout)
  }

  /// Returns the setting for the hook of a result, and its command; nil if there is none.
  func command(after result: OperationResult) -> (key: SettingKey, text: String)? {
    switch result {
    case .done: ready.map { (.hookReady, $0) }
    case .failed: failed.map { (.hookFailed, $0) }
    case .unchanged, .waiting, .planned: nil
    }
  }

  /// Whether no hook is configured.
  var isEmpty: Bool { ready == nil && failed == nil }
}

/// One call of a hook: a command, the record that it reads, and its environment.
private struct HookCall: Sendable {
  /// The setting that configures the command.
  let key: SettingKey
  /// The argument of `/bin/sh -c`.
  let command: String
  /// The id of the episode.
  let id: String
  /// The bytes that the hook reads on standard input.
  let record: [UInt8]
  /// The complete environment.
  let variables: [String: String]

  /// Runs the hook until it ends; its output goes to standard error.
  ///
  /// - Returns: false if an interruption ended it.
  /// - Throws: `hook-failed`.
  func perform(within milliseconds: Int64, or interruption: Interruption) throws(Failure) -> Bool {
    let deadline = Deadline(milliseconds: milliseconds)
    switch try start().wait(until: deadline, or: interruption) {
    case .ended(.exited(0)): return true
    case .ended(.exited(let status)): throw failure("exited with status \(status)")
    case .ended(.signalled(let signal)): throw failure("killed by signal \(signal)")
    case .timedOut: throw failure("timed out after \(DurationText.text(of: milliseconds))")
    case .interrupted: return false
    }
  }

  private func start() throws(Failure) -> SpawnedProgram {
    do {
      let input = try MemoryFile("vmx-record", holding: record)
      return try SpawnedProgram.start(
        ProgramCall(
          "/bin/sh", ["-c", command], environment: variables.map { "\($0.key)=\($0.value)" },
          input: input.descriptor), output: FileDescriptor(rawValue: STDERR_FILENO),
        leadsGroup: true)
    } catch {
      throw failure("cannot start: \(Failure(error).summary)")
    }
  }

  private func failure(_ what: String) -> Failure {
    Failure(.hookFailed, "'\(key.rawValue)' \(what)")
  }
}
