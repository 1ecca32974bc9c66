import VmxSystem

/// Rings when something has come for the thread that works on one part, whichever of its requests
/// it came for.
final class WakeCounter: Sendable {
  private let rings = Monitor<UInt64>(0)

  /// How often it has rung so far.
  var count: UInt64 { rings.withLock { $0 } }

  /// Wakes whoever waits.
  func ring() {
    rings.withLock { $0 &+= 1 }
  }

  /// Waits until it has rung more often than that, or so many milliseconds; whether it has.
  func wait(since seen: UInt64, milliseconds: Int64) -> Bool {
    rings.wait(milliseconds: milliseconds) { $0 != seen }
  }
}
