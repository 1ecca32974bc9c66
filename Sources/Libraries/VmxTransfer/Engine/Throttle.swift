import Synchronization

/// The share of one request in the common rate limit. It waits for its turn at the limit while the
/// loop pauses it.
///
/// Used only on the loop's thread; the lock satisfies the compiler.
final class Throttle: Sendable {
  private struct State {
    var limit: RateLimit?
    var turn: UInt64?
  }

  private let state = Mutex(State())

  /// Applies a rate limit to the request.
  func obey(_ limit: RateLimit) {
    state.withLock { $0.limit = limit }
  }

  /// Whether the next piece has to wait; the caller then pauses the request.
  func turnsAway(now: Int64) -> Bool {
    state.withLock { state in
      guard let limit = state.limit, !limit.admits(now: now) else { return false }
      state.turn = limit.nextTurn()
      return true
    }
  }

  /// Takes the admitted bytes from the limit.
  func spend(_ bytes: Int) {
    state.withLock { $0.limit?.spend(bytes) }
  }

  /// The request's number in the queue, lower numbers first; nil while it does not wait.
  var turn: UInt64? { state.withLock { $0.turn } }

  /// Ends the request's wait.
  func goOn() {
    state.withLock { $0.turn = nil }
  }
}
