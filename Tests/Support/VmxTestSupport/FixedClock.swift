import Synchronization
package import VmxModel

/// A clock that stands until it is moved.
package final class FixedClock: WallClock {
  private let moment: Mutex<Timestamp>

  /// A clock that shows the given moment.
  package init(_ moment: Timestamp = Timestamp(seconds: 1_700_000_000)) {
    self.moment = Mutex(moment)
  }

  package var now: Timestamp { moment.withLock { $0 } }

  /// Moves the clock on.
  package func advance(milliseconds: Int64) {
    moment.withLock { $0 = $0.adding(milliseconds: milliseconds) }
  }
}
