import Synchronization

/// A value that is computed on a separate thread. If the system refuses to create a thread,
/// `result` computes it.
///
///     let work = BackgroundWork("vmx-digest") { try digest(of: file) }
///     …
///     let found = try work.result()
package final class BackgroundWork<Value: Sendable>: Sendable {
  private typealias Outcome = Result<Value, any Error>

  private let body: @Sendable () throws -> Value
  private let outcome: Shared
  private let thread: WorkerThread?

  private final class Shared: Sendable {
    let outcome = Mutex<Outcome?>(nil)
  }

  /// Starts the work.
  ///
  /// - Parameter body: must terminate, whether or not the caller still wants the result.
  package init(_ name: String, _ body: @escaping @Sendable () throws -> Value) {
    let outcome = Shared()
    self.body = body
    self.outcome = outcome
    do throws(ProcessError) {
      thread = try WorkerThread.start(name) {
        let result = Outcome { try body() }
        outcome.outcome.withLock { $0 = result }
      }
    } catch {
      thread = nil
    }
  }

  /// Waits for the end of work whose value is no longer wanted.
  package func wait() { thread?.join() }

  /// Waits for the value; the caller calls it once.
  ///
  /// - Throws: errors of the body.
  package func result() throws -> Value {
    thread?.join()
    return try outcome.outcome.withLock({ $0 })?.get() ?? body()
  }
}
