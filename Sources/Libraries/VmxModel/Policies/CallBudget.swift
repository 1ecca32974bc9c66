/// How many requests a service wants from one library in a stretch of time, such as 20 in 10 s.
package struct CallBudget: Sendable, Equatable {
  /// As messages and the manual say it.
  static let allowed = "a number of requests and a time, such as 20/10s"

  /// Requests in any stretch of that length, from 1 to 1000.
  package let calls: Int
  /// Its length in milliseconds, a day at most.
  package let milliseconds: Int64

  /// Reads `20/10s`; nil for anything else.
  package init?(_ text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let calls = Int(halves[0]), (1...1000).contains(calls),
      let time = DurationText.milliseconds(of: String(halves[1])), (1...86_400_000).contains(time)
    else { return nil }
    self.calls = calls
    milliseconds = time
  }

  /// How long the next request has to wait.
  ///
  /// - Parameter times: of the requests so far, in any order; what lies in the future, by a clock
  ///   that was set back, counts as now.
  /// - Returns: milliseconds; 0 where it may be made.
  package func wait(after times: [Timestamp], now: Timestamp) -> Int64 {
    let recent = times.map { min($0.milliseconds, now.milliseconds) }
      .filter { $0 > now.milliseconds - milliseconds }.sorted()
    guard recent.count >= calls else { return 0 }
    return recent[recent.count - calls] + milliseconds - now.milliseconds
  }
}
