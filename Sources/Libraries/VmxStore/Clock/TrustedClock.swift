import Synchronization
package import VmxModel
import VmxSystem

// A machine without a clock battery starts at 1970. Lines with such times were believed for ever: a
// film removed in that run was purged the next day as one that was removed decades ago. A time
// before the first release of vmx is certainly wrong. The run then counts from the time of the
// newest line of the store, so that what it records is never older than what it found.

/// The clock of a tool: the system's, or one that counts from the newest line of the store while
/// the system's is certainly wrong.
package final class TrustedClock: WallClock {
  /// The time before which no run of vmx can have been.
  private static let earliest = Timestamp("2026-01-01T00:00:00Z") ?? Timestamp(milliseconds: 0)

  /// The clock of the system.
  package let system: any WallClock
  /// The difference in milliseconds between the trusted time and that of the system.
  private let offset = Mutex<Int64>(0)

  /// Creates a clock that is that of the system until `trust` finds that to be wrong.
  package init(_ system: any WallClock) {
    self.system = system
  }

  package var now: Timestamp {
    Timestamp(milliseconds: system.now.milliseconds.addingClamped(offset.withLock { $0 }))
  }

  /// Whether the system's clock is wrong and lines get trusted times.
  package var isCorrected: Bool { offset.withLock { $0 != 0 } }

  /// Counts from the time of the newest line of a store if the system's clock is certainly wrong
  /// and behind that line.
  ///
  /// - Returns: whether it does so from now on, and did not before.
  package func trust(_ store: LibraryStore) -> Bool {
    let now = system.now
    guard now < Self.earliest, !isCorrected, let newest = store.newestTime, newest > now else {
      return false
    }
    offset.withLock { $0 = newest.milliseconds - now.milliseconds }
    return true
  }
}

extension LibraryStore {
  /// The time of the newest line; nil without any. An unreadable store is reported by its use.
  fileprivate var newestTime: Timestamp? {
    do throws(StoreError) {
      return try snapshot().newestTime
    } catch {
      return nil
    }
  }
}
