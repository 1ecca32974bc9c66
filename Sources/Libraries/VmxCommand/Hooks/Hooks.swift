package import VmxModel
package import VmxPresentation
package import VmxSystem

// Hooks never delay the work that they follow. They run one after the other on a thread of their
// own, in the order of the outcomes. A worker blocks only when 1000 hooks are queued. A failed hook
// is reported and changes nothing else: its outcome is already recorded and durable.

/// Runs the user's commands after the outcomes of one run.
package final class Hooks: Sendable {
  /// The maximal number of queued hooks.
  private static let capacity = 1000

  private let commands: HookCommands
  private let variables: [String: String]
  private let calls = Channel<HookRun>(capacity: capacity)
  private let thread: WorkerThread?

  /// Creates hooks that report errors through the messages of a tool. An interruption ends them.
  ///
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(
    _ commands: HookCommands, in context: CommandContext, interruption: Interruption
  ) throws(ProcessError) {
    self.commands = commands
    variables = context.environment.variables
    guard !commands.isEmpty else {
      thread = nil
      return
    }
    thread = try WorkerThread.start("vmx-hooks") { [calls, messages = context.messages] in
      var left = 0
      while let call = calls.receive() {
        guard !interruption.isRequested else {
          left += 1
          continue
        }
        do throws(Failure) {
          if try !call.perform(within: commands.timeout, or: interruption) { left += 1 }
        } catch {
          messages.report(error, id: call.id)
        }
      }
      if left > 0 { messages.note("\(left) \(left == 1 ? "hook was" : "hooks were") left out") }
    }
  }

  /// Enqueues the hook of an outcome, if there is one. The outcome must be durable before this
  /// call.
  ///
  /// - Parameters:
  ///   - row: the printed row of the outcome.
  ///   - episode: the episode in its current state.
  package func follow(
    _ outcome: Outcome, of id: EpisodeID, _ row: OutcomeRow, episode: EpisodeRow?
  ) {
    guard let hook = commands.command(after: outcome) else { return }
    calls.send(
      HookRun(
        hook, after: outcome, of: id.description, row, path: episode?.exact(.path) ?? "",
        inherited: variables))
  }

  /// Waits for all running and queued hooks. The caller must not enqueue another hook afterwards.
  package func finish() {
    calls.close()
    thread?.join()
  }
}
