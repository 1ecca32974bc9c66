import Synchronization
import VmxModel

/// A token bucket of bytes, shared by all transfers of a process.
///
/// A piece is admitted as soon as the bucket is not empty, and may leave it in debt. So pieces of
/// any size pass at any rate, and the mean rate is exact. The bucket holds the bytes of a quarter
/// of a second, so that no burst follows a pause.
final class RateLimit: Sendable {
  private static let burst: Double = 0.25

  private struct State {
    var rate: Int64?
    var level: Double = 0
    var at: Int64
    /// Numbers the rejected requests, so that they are admitted in order.
    var lastNumber: UInt64 = 0
  }

  private let state: Mutex<State>
  /// Whether there is a rate limit; read for each piece.
  private let isEnabled = Atomic<Bool>(false)

  /// Creates a limit that admits everything.
  ///
  /// - Parameter now: milliseconds of the monotonic clock.
  init(now: Int64) {
    state = Mutex(State(at: now))
  }

  /// Sets the rate in bytes a second; nil for no limit.
  func set(_ rate: Int64?, now: Int64) {
    isEnabled.store(rate != nil, ordering: .relaxed)
    state.withLock { state in
      guard rate != state.rate else { return }
      Self.refill(&state, now)
      // Clears the debt: it belongs to the earlier rate.
      state.level = 0
      state.rate = rate
    }
  }

  /// Whether a piece may be admitted now.
  func admits(now: Int64) -> Bool {
    guard isEnabled.load(ordering: .relaxed) else { return true }
    return wait(now: now) == 0
  }

  /// Removes the admitted bytes from the bucket.
  func consume(_ bytes: Int) {
    guard isEnabled.load(ordering: .relaxed) else { return }
    state.withLock { $0.level -= Double(bytes) }
  }

  /// The milliseconds until a piece may be admitted; 0 for now.
  func wait(now: Int64) -> Int64 {
    state.withLock { state in
      guard let rate = state.rate else { return 0 }
      Self.refill(&state, now)
      guard state.level <= 0 else { return 0 }
      return max(1, Int64((1 - state.level) / Double(rate) * 1000) + 1)
    }
  }

  /// The number of the next rejected request.
  func nextQueuePosition() -> UInt64 {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }

  private static func refill(_ state: inout State, _ now: Int64) {
    defer { state.at = now }
    guard let rate = state.rate else { return }
    let most = max(1, Double(rate) * burst)
    state.level = min(most, state.level + Double(rate) * Double(max(0, now - state.at)) / 1000)
  }
}

/// Detects that the data rate, of headers or body, is below a limit for too long, or that the first
/// byte does not arrive.
struct StallDetector: Sendable {
  private let minBytes: Int64
  private let time: Int64
  private let firstTime: Int64
  private var since: Int64
  private var from: Int64 = 0
  /// Whether the first byte has arrived.
  private var hasBegun = false

  /// Creates a detector that starts now.
  ///
  /// - Parameters:
  ///   - rate: the rate in bytes a second below which the transfer stalls.
  ///   - time: the duration in milliseconds.
  ///   - firstTime: the duration in milliseconds for the first byte. A server may have to load the
  ///     file from a tape.
  ///   - since: milliseconds of the monotonic clock.
  init(rate: Int64, time: Int64, firstTime: Int64, since: Int64) {
    minBytes = max(1, rate.multipliedClamped(by: time) / 1000)
    self.time = time
    self.firstTime = firstTime
    self.since = since
  }

  /// Whether the transfer has stalled, given all bytes received so far.
  mutating func isStalled(received: Int64, now: Int64) -> Bool {
    if received == 0 { return now - since >= firstTime }
    if !hasBegun || received - from >= minBytes {
      hasBegun = true
      restart(received: received, now: now)
      return false
    }
    return now - since >= time
  }

  /// Restarts the measurement after a pause that this process caused.
  mutating func restart(received: Int64, now: Int64) {
    since = now
    from = received
  }
}
