/// The maximum number of requests from one library to a service per interval, such as 20 in 10 s.
package struct CallBudget: Sendable, Equatable {
  /// The accepted form, worded for messages and the manual.
  static let allowed = "a number of requests and a time, such as 20/10s"

  /// The number of requests in any interval of that length, from 1 to 1000.
  package let calls: Int
  /// The length of the interval in milliseconds, at most one day.
  package let milliseconds: Int64

  /// Parses `20/10s`; nil for any other text.
  package init?(_ text: String) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let calls = Int(halves[0]), (1...1000).contains(calls),
      let time = DurationText.milliseconds(of: String(halves[1])), (1...86_400_000).contains(time)
    else { return nil }
    self.calls = calls
    milliseconds = time
  }

  /// Returns the time that the next request has to wait.
  ///
  /// - Parameter times: times of the previous requests, in any order; a time in the future, after
  ///   the clock was set back, counts as now.
  /// - Returns: milliseconds; 0 if the request may be made now.
  package func wait(after times: [Timestamp], now: Timestamp) -> Int64 {
    let recent = times.map { min($0.milliseconds, now.milliseconds) }
      .filter { $0 > now.milliseconds - milliseconds }.sorted()
    guard recent.count >= calls else { return 0 }
    return recent[recent.count - calls] + milliseconds - now.milliseconds
  }
}
