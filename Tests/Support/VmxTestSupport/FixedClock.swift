import Synchronization
package import VmxModel

/// A clock that changes only when a test advances it.
package final class FixedClock: WallClock {
  private let moment: Mutex<Timestamp>

  /// Creates a clock that shows the given time.
  package init(_ moment: Timestamp = Timestamp(seconds: 1_700_000_000)) {
    self.moment = Mutex(moment)
  }

  package var now: Timestamp { moment.withLock { $0 } }

  /// Advances the clock.
  package func advance(milliseconds: Int64) {
    moment.withLock { $0 = $0.adding(milliseconds: milliseconds) }
  }
}
