import VmxSystem

/// Wakes the thread that works on one part, for an event of any of its requests.
final class WakeCounter: Sendable {
  private let rings = Monitor<UInt64>(0)

  /// The number of wake-ups so far.
  var count: UInt64 { rings.withLock { $0 } }

  /// Increments the counter and wakes the waiting thread.
  func ring() {
    rings.withLock { $0 &+= 1 }
  }

  /// Waits for the counter to change from `seen`, up to this many milliseconds; returns whether it
  /// did.
  func wait(since seen: UInt64, milliseconds: Int64) -> Bool {
    rings.wait(milliseconds: milliseconds) { $0 != seen }
  }
}
