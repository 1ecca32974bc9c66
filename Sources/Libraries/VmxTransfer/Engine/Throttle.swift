import Synchronization

/// How one request takes part in the limit of all: it waits for its turn where the limit is
/// reached, and lets the loop pause it meanwhile.
///
/// Used on the loop's thread; the lock is for the compiler.
final class Throttle: Sendable {
  private struct State {
    var limit: RateLimit?
    var turn: UInt64?
  }

  private let state = Mutex(State())

  /// From now on the request keeps to a limit.
  func obey(_ limit: RateLimit) {
    state.withLock { $0.limit = limit }
  }

  /// Whether the next piece has to wait; the request is to be paused then.
  func turnsAway(now: Int64) -> Bool {
    state.withLock { state in
      guard let limit = state.limit, !limit.admits(now: now) else { return false }
      state.turn = limit.nextTurn()
      return true
    }
  }

  /// Takes what was let in.
  func spend(_ bytes: Int) {
    state.withLock { $0.limit?.spend(bytes) }
  }

  /// The request's place in the queue while it waits; the smaller, the earlier. Nil while it does
  /// not.
  var turn: UInt64? { state.withLock { $0.turn } }

  /// It waits no longer.
  func goOn() {
    state.withLock { $0.turn = nil }
  }
}
