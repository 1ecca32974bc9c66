import VmxSystem

/// Wakes the waiting workers of a run after each change for which one of them may wait.
///
///     let claim = try changes.retry(every: 200) { try store.claims.claim(id) }
final class ChangeSignal: Sendable {
  private let count = Monitor<UInt64>(0)

  /// Wakes all workers that wait.
  func signal() {
    count.withLock { $0 &+= 1 }
  }

  /// Waits for the next signal, up to this many milliseconds.
  func wait(milliseconds: Int64) {
    let seen = count.withLock { $0 }
    _ = count.wait(milliseconds: milliseconds) { $0 != seen }
  }

  /// Repeats an attempt until it returns a value: after each signal, and after each interval for
  /// changes that no signal reports. A signal during an attempt is not lost.
  func retry<Result>(
    every milliseconds: Int64 = 60_000, _ attempt: () throws -> Result?
  ) rethrows -> Result {
    while true {
      let seen = count.withLock { $0 }
      if let result = try attempt() { return result }
      _ = count.wait(milliseconds: milliseconds) { $0 != seen }
    }
  }
}
