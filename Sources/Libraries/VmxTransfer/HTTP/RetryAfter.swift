import VmxModel

/// The waiting time that a server requests (RFC 9110, section 10.2.3).
enum RetryAfter {
  /// The milliseconds to wait, from 0 to the cap; nil if the field is missing or contains neither
  /// seconds nor a date.
  ///
  /// A date is relative to the `Date` of the same response, because the two clocks may disagree.
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
