import Testing
import VmxModel
@testable import VmxCatalogue

struct FeedDatesTests {
  private let now = Timestamp("2026-06-01T00:00:00Z") ?? Timestamp(milliseconds: 0)

  private func order(_ dates: [String?], now: Timestamp? = nil) -> [Int] {
    let items = dates.map { date in
      var item = FeedItem()
      item.published = date.flatMap { Timestamp("\($0)T00:00:00Z") }
      return item
    }
    return FeedDates(now: now ?? self.now).newestFirst(items)
  }

  @Test func `items are ordered by date, not by their order in the document`() {
    #expect(order(["2026-01-01", "2026-01-03", "2026-01-02"]) == [1, 2, 0])
  }

  // Regression: an item without a date was the oldest, and was never wanted by 'latest:N'.
  @Test(
    arguments: [
      ([nil, "2026-01-02", "2026-01-01"], [0, 1, 2]),
      (["2026-01-02", nil, "2026-01-01"], [0, 1, 2]),
      (["2026-01-01", "2026-01-02", nil], [2, 1, 0]),
      ([nil, nil, nil], [0, 1, 2]),
    ] as [([String?], [Int])])
  func `an item without a date takes its place in the order of the document`(
    _ dates: [String?], _ expected: [Int]
  ) {
    #expect(order(dates) == expected)
  }

  @Test(arguments: ["2026-06-09", "2150-01-01", "9998-12-31"])
  func `a date in the future does not make an item the newest for ever`(_ date: String) {
    #expect(order(["2026-05-03", "2026-05-02", date]) == [0, 1, 2])
  }

  @Test func `a clock that was never set does not doubt dates`() {
    let unset = Timestamp(seconds: 300)
    #expect(order(["2026-05-02", "2026-05-03"], now: unset) == [1, 0])
    #expect(FeedDates(now: unset).isPossible(now))
  }
}
