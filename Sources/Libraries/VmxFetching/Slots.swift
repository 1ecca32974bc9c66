import VmxSystem

/// How many parts may transfer at once.
package final class Slots: Sendable {
  private let free: Monitor<Int>

  /// So many slots, at least one.
  package init(_ count: Int) {
    free = Monitor(max(1, count))
  }

  /// Waits for a free slot and holds it while the body runs.
  package func withSlot<Result>(_ body: () throws -> Result) rethrows -> Result {
    free.when({ $0 > 0 }) { $0 -= 1 }
    defer { free.withLock { $0 += 1 } }
    return try body()
  }
}
