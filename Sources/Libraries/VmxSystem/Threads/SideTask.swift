package import VmxModel

/// A task on a thread of its own beside other work, such as calls to a server during transfers. It
/// ends soon after that work.
///
///     let task = try SideTask("vmx-sync", of: 0) { task in
///       while task.mayGoOn, try sendNext() { task.update { $0 += 1 } }
///     }
///     …
///     let sent = try task.finish()
package final class SideTask<Output: Sendable>: Sendable {
  fileprivate struct State: Sendable {
    /// When the last request may be begun; nil while the other work goes on.
    var end: Deadline?
    var output: Output
    var failure: Failure?
  }

  /// The task as its body sees it.
  package struct Control: Sendable {
    fileprivate let state: Monitor<State>

    /// Whether another request may be begun.
    package var mayGoOn: Bool { state.withLock { $0.end?.isPast != true } }

    /// Whether the other work has ended.
    package var isEnding: Bool { state.withLock { $0.end != nil } }

    /// Changes the output.
    package func update(_ body: @Sendable (inout Output) -> Void) {
      state.withLock { body(&$0.output) }
    }

    /// Sets the failure that the end of the task throws; nil takes back an earlier one.
    package func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    /// Waits for a time, or until the other work ends.
    package func pause(milliseconds: Int64) {
      _ = state.wait(milliseconds: milliseconds) { $0.end != nil }
    }
  }

  /// Milliseconds for which the end of the other work waits for further requests to be begun.
  private static var patience: Int64 { 2000 }

  private let state: Monitor<State>
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the name in debuggers and `ps`.
  ///   - output: the output of a body that does nothing.
  ///   - body: the work. An error ends it, and is the failure of the task unless it is an interruption.
  /// - Throws: `ProcessError.noThread`, code `resources-short`.
  package init(
    _ name: String, of output: Output, _ body: @escaping @Sendable (Control) throws -> Void
  ) throws(ProcessError) {
    let state = Monitor(State(output: output))
    self.state = state
    thread = try WorkerThread.start(name) {
      let control = Control(state: state)
      do {
        try body(control)
      } catch {
        if !error.isInterruption { control.fail(Failure(error)) }
      }
    }
  }

  /// Ends the task: requests that cannot be begun within two seconds are left.
  ///
  /// - Returns: the output.
  /// - Throws: the failure of the task.
  package func finish() throws(Failure) -> Output {
    state.withLock { $0.end = Deadline(milliseconds: Self.patience) }
    thread.join()
    let (output, failure) = state.withLock { ($0.output, $0.failure) }
    if let failure { throw failure }
    return output
  }
}
