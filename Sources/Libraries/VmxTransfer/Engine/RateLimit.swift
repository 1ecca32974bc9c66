import Synchronization

/// A bucket that fills with bytes at a rate; all transfers of a process take from the same one.
///
/// A piece is let in as soon as anything is in the bucket and may leave it in debt: so pieces of
/// any size pass at any rate, and the mean is exact. A bucket holds what comes in a quarter of a
/// second, so that a pause is not followed by a burst.
final class RateLimit: Sendable {
  private static let burst: Double = 0.25

  private struct State {
    var rate: Int64?
    var level: Double = 0
    var at: Int64
    /// Numbers the requests that were turned away, so that they come in turn.
    var turn: UInt64 = 0
  }

  private let state: Mutex<State>
  /// Whether there is a rate, to be asked for each piece.
  private let isOn = Atomic<Bool>(false)

  /// A limit that lets everything pass.
  ///
  /// - Parameter now: milliseconds of a clock that never jumps.
  init(now: Int64) {
    state = Mutex(State(at: now))
  }

  /// Takes another rate, in bytes a second; nil for none.
  func set(_ rate: Int64?, now: Int64) {
    isOn.store(rate != nil, ordering: .relaxed)
    state.withLock { state in
      guard rate != state.rate else { return }
      Self.fill(&state, now)
      // What is owed was let in at another rate.
      state.level = 0
      state.rate = rate
    }
  }

  /// Whether a piece may be let in now.
  func admits(now: Int64) -> Bool {
    guard isOn.load(ordering: .relaxed) else { return true }
    return wait(now: now) == 0
  }

  /// Takes what was let in.
  func spend(_ bytes: Int) {
    guard isOn.load(ordering: .relaxed) else { return }
    state.withLock { $0.level -= Double(bytes) }
  }

  /// Milliseconds until something may be let in; 0 for now.
  func wait(now: Int64) -> Int64 {
    state.withLock { state in
      guard let rate = state.rate else { return 0 }
      Self.fill(&state, now)
      guard state.level <= 0 else { return 0 }
      return max(1, Int64((1 - state.level) / Double(rate) * 1000) + 1)
    }
  }

  /// The number of the next request that is turned away.
  func nextTurn() -> UInt64 {
    state.withLock { state in
      state.turn += 1
      return state.turn
    }
  }

  private static func fill(_ state: inout State, _ now: Int64) {
    defer { state.at = now }
    guard let rate = state.rate else { return }
    let most = max(1, Double(rate) * burst)
    state.level = min(most, state.level + Double(rate) * Double(max(0, now - state.at)) / 1000)
  }
}
