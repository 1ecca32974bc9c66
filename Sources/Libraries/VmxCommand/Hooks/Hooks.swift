package import VmxModel
package import VmxPresentation
package import VmxSystem

// Hooks never hold up the work that they follow: they run on a thread of their own, one after the
// other, in the order of the outcomes. Only who is a thousand of them ahead waits. A hook that
// fails is told and changes nothing else: what it follows is recorded and durable.

/// Runs people's own commands after the outcomes of one run.
package final class Hooks: Sendable {
  /// Calls that may wait for their turn.
  private static let capacity = 1000

  private let commands: HookCommands
  private let variables: [String: String]
  private let calls = Channel<HookRun>(capacity: capacity)
  private let thread: WorkerThread?

  /// Hooks that are told by the messages of a tool, and ended by an interruption.
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

  /// Lets the hook of an outcome run, where there is one; durable before it is called.
  ///
  /// - Parameters:
  ///   - row: what was printed of it.
  ///   - episode: as it is now.
  package func follow(
    _ outcome: Outcome, of id: EpisodeID, _ row: OutcomeRow, episode: EpisodeRow?
  ) {
    guard let hook = commands.command(after: outcome) else { return }
    calls.send(
      HookRun(
        hook, after: outcome, of: id.description, row, path: episode?.exact(.path) ?? "",
        inherited: variables))
  }

  /// Waits for those that still run or wait for their turn; nothing may follow it.
  package func finish() {
    calls.close()
    thread?.join()
  }
}
