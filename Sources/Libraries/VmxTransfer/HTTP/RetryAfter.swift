import VmxModel

/// How long a server asks to wait (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// Milliseconds to wait, never negative and never above the cap; nil if the field is missing
  /// or says neither seconds nor a date.
  ///
  /// A date counts from the `Date` of the same answer, because the two clocks may disagree.
  static func milliseconds(_ head: ResponseHead, now: Timestamp, cap: Int64) -> Int64? {
    guard let value = head["retry-after"] else { return nil }
    if let seconds = Decimal.number(value) {
      return min(cap, seconds > cap / 1000 ? cap : seconds * 1000)
    }
    guard let until = HTTPDate.moment(value) else { return nil }
    let sent = head["date"].flatMap(HTTPDate.moment) ?? now
    return min(cap, max(0, until.milliseconds - sent.milliseconds))
  }
}
