import VmxModel

/// Parses the dates of feeds: RFC 3339, and RFC 822 with common errors.
enum FeedDate {
  /// The months by the first three letters of their English names.
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  /// The offsets of named zones, in hours.
  private static let zones = [
    "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "cet": 1, "cest": 2, "bst": 1,
  ]

  /// Parses a date; nil for other text. A missing zone means UTC, a missing time midnight. The
  /// weekday is ignored.
  static func parse(_ text: String) -> (time: Timestamp, day: CalendarDay)? {
    let words = text.split { $0.isWhitespace || $0 == "," }.map { $0.lowercased() }
    guard let first = words.first else { return nil }
    if first.utf8.count >= 10, first.utf8.prefix(4).allSatisfy(\.isASCIIDigit),
      first.dropFirst(4).hasPrefix("-")
    {
      return standard(words)
    }
    guard let month = words.firstIndex(where: { month(of: $0) != nil }) else { return nil }
    return mail(words, month: month)
  }

  /// Parses `2024-05-20T10:00:00Z` and shortened forms.
  private static func standard(_ words: [String]) -> (time: Timestamp, day: CalendarDay)? {
    let whole = words.joined(separator: words.count == 2 ? "t" : "")
    guard let day = CalendarDay(String(whole.prefix(10))), isYear(Int(whole.prefix(4))) else {
      return nil
    }
    for text in [whole, whole + "z", "\(day)t00:00:00z"] {
      if let time = Timestamp(text.uppercased()) { return (time, day) }
    }
    return nil
  }

  /// Parses `20 May 24 10:00:00 +0200`, with day and month in either order.
  private static func mail(
    _ words: [String], month: Int
  ) -> (time: Timestamp, day: CalendarDay)? {
    guard let number = Self.month(of: words[month]) else { return nil }
    let day = [month - 1, month + 1].first { index in
      words.indices.contains(index) && (1...31).contains(Int(words[index]) ?? 0)
    }
    guard let day, let date = Int(words[day]),
      let year = words.indices.first(where: { $0 > max(month, day) && Int(words[$0]) != nil })
    else { return nil }
    let fields = words[(year + 1)...].first { $0.contains(":") }?.split(separator: ":") ?? []
    var time = (0..<3).map { fields.indices.contains($0) ? Int(fields[$0]) ?? 0 : 0 }
    // `24:00:00` is the start of the next day.
    let isMidnight = time == [24, 0, 0]
    if isMidnight { time[0] = 0 }
    let zone = words[(year + 1)...].first { !$0.contains(":") }
    let number4 =
      words[year].utf8.count > 3 ? Int(words[year]) ?? 0 : fullYear(Int(words[year]) ?? 0)
    guard isYear(number4) else { return nil }
    let text = "\(padded(number4, 4))-\(padded(number))-\(padded(date))"
    let clock = time.map { padded($0) }.joined(separator: ":")
    guard var parsed = Timestamp("\(text)T\(clock)\(offset(zone))"), var day = CalendarDay(text)
    else { return nil }
    if isMidnight {
      parsed = parsed.adding(milliseconds: dayLength)
      let next = Timestamp("\(text)T00:00:00Z")?.adding(milliseconds: dayLength)
      day = next.flatMap { CalendarDay(String($0.text.prefix(10))) } ?? day
    }
    return (parsed, day)
  }

  private static let dayLength: Int64 = 86_400_000

  /// Whether a year may be that of a recording. Year 1 is the unset date of some programs.
  private static func isYear(_ year: Int?) -> Bool { (1878...9998).contains(year ?? 0) }

  private static func month(of word: String) -> Int? {
    guard word.count >= 3, let index = months.firstIndex(of: String(word.prefix(3))) else {
      return nil
    }
    return index + 1
  }

  /// Completes a two-digit or three-digit year according to RFC 2822, section 4.3.
  private static func fullYear(_ year: Int) -> Int {
    switch year {
    case 0..<50: 2000 + year
    case 50..<1000: 1900 + year
    default: year
    }
  }

  private static func offset(_ zone: String?) -> String {
    guard let zone else { return "Z" }
    let digits = zone.filter(\.isNumber)
    if let sign = zone.first, sign == "+" || sign == "-", digits.utf8.count == 4 {
      return "\(sign)\(digits.prefix(2)):\(digits.suffix(2))"
    }
    guard let hours = zones[zone] else { return "Z" }
    return "\(hours < 0 ? "-" : "+")\(padded(abs(hours))):00"
  }

  private static func padded(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
