/// The age rating of a film or episode, as its source or the user gives it: `FSK 12`, `PG-13`,
/// `TV-MA`, `de:16`, `explicit`, or an age such as `12`.
///
/// The text is kept as given, so that an improved table also applies to stored texts. One table
/// maps the texts of all systems to ages:
///
///     AgeRating("TV-14")?.age  // 14
///     AgeRating("Rated R for language")?.age  // 17
///     AgeRating("not rated")?.age  // nil
package struct AgeRating: Sendable, Hashable {
  /// The maximum length of a text in bytes; a longer one is truncated.
  private static let maxLength = 60

  /// The rating as given, on one line, never empty.
  package let text: String

  /// Creates a rating from a text, whose white space is collapsed; nil for an empty one.
  package init?(_ text: String) {
    var words = text.split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    while words.utf8.count > Self.maxLength { words.removeLast() }
    guard !words.isEmpty else { return nil }
    self.text = words
  }

  /// The age from which the episode may be watched, in years; nil for a text of no known system.
  ///
  /// Of several ratings, as in `US:PG-13 / DE:16`, the highest counts. A text whose parts are not
  /// all known has no age, because the unknown part may be the higher one.
  package var age: Int64? {
    var highest: Int64?
    for part in text.split(separator: "/") {
      guard let age = Self.age(of: part) else { return nil }
      highest = max(highest ?? 0, age)
    }
    return highest
  }
}

extension AgeRating {
  /// The ages by rating, of all systems whose ratings are not numbers. A rating that two systems
  /// share, such as `PG`, has the higher of their ages.
  private static let ages: [String: Int64] = [
    // MPAA; TV Parental Guidelines.
    "G": 0, "PG": 10, "PG-13": 13, "R": 17, "NC-17": 18, "X": 18, "XXX": 18,
    "TV-Y": 0, "TV-Y7": 7, "TV-Y7-FV": 7, "TV-G": 0, "TV-PG": 10, "TV-14": 14, "TV-MA": 17,
    // BBFC; `12A` and similar ratings are numbers.
    "U": 0, "UC": 0, "R18": 18,
    // Australia and New Zealand.
    "M": 15, "MA15+": 15, "MA 15+": 15, "R18+": 18, "X18+": 18,
    // Kijkwijzer, and words that several systems use.
    "AL": 0, "ALL": 0, "ALL AGES": 0, "E": 0,
    // iTunes, Media RSS (`urn:simple`), yt-dlp.
    "EXPLICIT": 18, "ADULT": 18, "MATURE": 18, "AO": 18,
  ]

  /// The words before a number: `FSK 12`, `PEGI-16`, `ab 6`.
  private static let numbered: Set<String> = [
    "", "FSK", "USK", "PEGI", "BBFC", "AGE", "AGES", "AB", "FROM", "NC", "TV", "PG", "-",
  ]

  /// Returns the age of one rating. It may have a country before a colon, `Rated` before it, and
  /// reasons after it.
  private static func age(of part: Substring) -> Int64? {
    var text = part.uppercased().trimmed
    if let colon = text.lastIndex(of: ":") {
      text = String(text[text.index(after: colon)...]).trimmed
    }
    for word in ["RATED ", "MPAA ", "BBFC "] where text.hasPrefix(word) {
      text = String(text.dropFirst(word.count)).trimmed
    }
    if let reasons = text.firstRange(of: " FOR ") {
      text = String(text[..<reasons.lowerBound]).trimmed
    }
    return ages[text] ?? number(in: text)
  }

  /// Returns the number of a text such as `12`, `12+`, `12A`, `FSK-12`, `FSK12`; nil for other
  /// texts, and for an age above 21.
  private static func number(in text: String) -> Int64? {
    var words = text[...]
    if let last = words.last, last == "+" || last == "A" { words.removeLast() }
    let digits = words.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
    guard (1...2).contains(digits.count), let age = Int64(String(digits)), age <= 21 else {
      return nil
    }
    var system = words.dropLast(digits.count)
    while let last = system.last, last == " " || last == "-" { system.removeLast() }
    return numbered.contains(String(system)) ? age : nil
  }
}

extension AgeRating: FieldValue {
  package static let expected = "an age rating such as FSK 12, PG-13 or 16"

  package static func decode(_ value: some JSONSource, in context: RecordContext) -> AgeRating? {
    switch value.value {
    case .string(let text): AgeRating(text)
    case .integer(let age) where (0...99).contains(age): AgeRating("\(age)")
    default: nil
    }
  }

  package var json: JSONValue { .string(text) }
}
