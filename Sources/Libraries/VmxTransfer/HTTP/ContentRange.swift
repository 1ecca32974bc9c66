/// A `Content-Range` field of the unit bytes (RFC 9110, section 14.4).
enum ContentRange: Equatable, Sendable {
  /// `bytes N-M/T`: the first byte sent, the offset after the last one, and the size of the whole
  /// if given.
  case sent(start: Int64, end: Int64, total: Int64?)
  /// `bytes */T`: the requested range is not satisfiable.
  case unsatisfied(total: Int64)

  /// Parses a field value; nil for any other unit or form and for contradictory numbers.
  init?(_ value: String) {
    let words = value.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let total = Decimal.number(halves[1])
    if halves[0] == "*" {
      guard let total else { return nil }
      self = .unsatisfied(total: total)
      return
    }
    let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Decimal.number(bounds[0]),
      let last = Decimal.number(bounds[1]), first <= last, last < Int64.max,
      total != nil || halves[1] == "*"
    else { return nil }
    if let total, last >= total { return nil }
    self = .sent(start: first, end: last + 1, total: total)
  }
}

/// Decimal numbers in header fields.
enum Decimal {
  /// Parses a number of digits only; nil for any other text and beyond `Int64`.
  static func number(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
