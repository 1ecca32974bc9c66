import VmxModel

// The dates of feeds are typed by people. One item dated 2150 would be the newest for ever, and
// would displace each real episode from `latest:1` and `--keep-last`.

/// Decides which dates of items are believed, and orders items by them.
struct FeedDates {
  /// The time by which a date may be ahead: the difference between two time zones.
  private static let maxAhead: Int64 = 86_400_000
  /// The time after which a date ahead is an error and not an announcement.
  private static let maxAnnounced: Int64 = 400 * 86_400_000
  /// A clock before 2020 was never set, so it is not compared with dates.
  private static let firstClock = Timestamp(seconds: 1_577_836_800)

  /// The present time; nil if the clock was never set.
  private let now: Timestamp?

  /// Creates the rules for the present time.
  init(now: Timestamp) {
    self.now = now < Self.firstClock ? nil : now
  }

  /// Returns a time that is not in the future, else nil.
  func credible(_ time: Timestamp?) -> Timestamp? {
    guard let time, let now, time > now.adding(milliseconds: Self.maxAhead) else { return time }
    return nil
  }

  /// Whether a time may be the day of an episode; true for none.
  func isPossible(_ time: Timestamp?) -> Bool {
    guard let time, let now else { return true }
    return time <= now.adding(milliseconds: Self.maxAnnounced)
  }

  /// Returns the indices of items, the newest first. An item without a credible date takes its
  /// place in the order of the document, which starts with the newest unless its dates ascend.
  func newestFirst(_ items: [FeedItem]) -> [Int] {
    var times = items.map { credible($0.published) }
    let dated = times.compactMap { $0 }
    let isAscending = dated.first.flatMap { first in dated.last.map { first < $0 } } ?? false
    var last = Timestamp(milliseconds: .min)
    for index in isAscending ? Array(items.indices) : items.indices.reversed() {
      last = times[index] ?? last
      times[index] = last
    }
    return items.indices.sorted { left, right in
      guard let first = times[left], let second = times[right], first != second else {
        return isAscending ? left > right : left < right
      }
      return first > second
    }
  }
}
