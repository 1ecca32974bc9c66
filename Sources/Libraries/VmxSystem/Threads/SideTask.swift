package import VmxModel

/// A task on a separate thread that runs during other work, such as requests to a server during
/// transfers. It ends soon after that work.
///
///     let task = try SideTask("vmx-sync", of: 0) { task in
///       while task.canStartRequest, try sendNext() { task.update { $0 += 1 } }
///     }
///     …
///     let sent = try task.finish()
package final class SideTask<Output: Sendable>: Sendable {
  fileprivate struct State: Sendable {
    /// The time until which requests may be started; nil until the other work has ended.
    var end: Deadline?
    var output: Output
    var failure: Failure?
  }

  /// The interface of the task for its body.
  package struct Control: Sendable {
    fileprivate let state: Monitor<State>

    /// Whether another request may be started.
    package var canStartRequest: Bool { state.withLock { $0.end?.isPast != true } }

    /// Changes the output.
    package func update(_ body: @Sendable (inout Output) -> Void) {
      state.withLock { body(&$0.output) }
    }

    /// Sets the failure that `finish` throws; nil removes an earlier one.
    package func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

    /// Runs the body every ten seconds while the other work runs, and once more after its end.
    ///
    /// - Parameter body: returns false to end the runs early.
    /// - Throws: the errors of the body, which end the runs.
    package func runRepeatedly(_ body: () throws -> Bool) rethrows {
      var isLast = false
      repeat {
        isLast = state.withLock { $0.end != nil }
        guard try body() else { return }
        if !isLast { _ = state.wait(milliseconds: SideTask.interval) { $0.end != nil } }
      } while !isLast
    }
  }

  /// The time in milliseconds during which requests may still be started after the other work has
  /// ended.
  private static var gracePeriod: Int64 { 2000 }
  /// The pause between two runs of a body, in milliseconds.
  private static var interval: Int64 { 10_000 }

  private let state: Monitor<State>
  private let thread: WorkerThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: the name in debuggers and `ps`.
  ///   - output: the initial output.
  ///   - body: the work. An error that it throws ends the work and, unless it is an interruption,
  ///     becomes the failure of the task.
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

  /// Ends the task; requests that have not started within two seconds are skipped.
  ///
  /// - Returns: the output.
  /// - Throws: the failure of the task.
  package func finish() throws(Failure) -> Output {
    state.withLock { $0.end = Deadline(milliseconds: Self.gracePeriod) }
    thread.join()
    let (output, failure) = state.withLock { ($0.output, $0.failure) }
    if let failure { throw failure }
    return output
  }
}
