import Synchronization

/// A rate in bytes per second, for one answer or shared by many.
final class Pacer: Sendable {
  private struct Account {
    var since: Int64
    var granted: Int64 = 0
  }

  private let rate: Int64
  /// Bytes granted at once: twenty times a second, or one by one where the rate is less.
  private let quantum: Int64
  private let account: Mutex<Account>

  init(bytesPerSecond: Int64) {
    rate = max(1, bytesPerSecond)
    quantum = max(1, bytesPerSecond / 20)
    account = Mutex(Account(since: Moment.now))
  }

  /// Grants at most so many bytes now, or none and the milliseconds to wait.
  func take(_ wanted: Int) -> (granted: Int, wait: Int64) {
    let now = Moment.now
    let rate = rate
    let quantum = quantum
    return account.withLock { account in
      var earned = quantum + (now - account.since) * rate / 1000
      // Bytes that were not requested during idle time are not saved up.
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
