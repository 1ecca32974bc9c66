import Synchronization

/// A rate limit in bytes per second, for one response or shared by several.
final class Pacer: Sendable {
  private struct Account {
    var since: Int64
    var granted: Int64 = 0
  }

  private let rate: Int64
  /// The number of bytes granted at once: a twentieth of a second's bytes, at least one.
  private let quantum: Int64
  private let account: Mutex<Account>

  init(bytesPerSecond: Int64) {
    rate = max(1, bytesPerSecond)
    quantum = max(1, bytesPerSecond / 20)
    account = Mutex(Account(since: Moment.now))
  }

  /// Grants up to this many bytes now, or none and the milliseconds to wait.
  func take(_ wanted: Int) -> (granted: Int, wait: Int64) {
    let now = Moment.now
    let rate = rate
    let quantum = quantum
    return account.withLock { account in
      var earned = quantum + (now - account.since) * rate / 1000
      // Unused bytes of idle time are not saved up.
      if earned - account.granted > 4 * quantum {
        account = Account(since: now)
        earned = quantum
      }
      let free = earned - account.granted
      guard free >= min(quantum, Int64(wanted)) else {
        return (0, max(1, (min(quantum, Int64(wanted)) - free) * 1000 / rate))
      }
      let granted = min(free, Int64(wanted))
      account.granted += granted
      return (Int(granted), 0)
    }
  }
}
