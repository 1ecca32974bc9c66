/// One half of an episode id: `[a-z0-9][a-z0-9._-]*`, at most 100 bytes.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of a slug in bytes.
  package static let longest = 100

  /// The text of the slug.
  package let description: String

  /// Creates a slug from well-formed text; nil otherwise.
  package init?(valid text: String) {
    guard EpisodeID.isHalf(text.utf8) else { return nil }
    description = text
  }

  /// Creates the slug of a title. If no letter can be written in ASCII, the slug is `x` and eight
  /// hexadecimal digits. They are derived from the fallback, a text that is unique to this title.
  ///
  /// The same texts give the same slug in every process and version.
  package init(transliterating text: String, fallback: String) {
    let words = Self.cut(Transliteration.words(of: text), to: Self.longest)
    description = words.isEmpty ? Self.anonymous(fallback) : words
  }

  private init(ascii text: String) {
    description = text
  }

  /// `s01e02`: at least two digits each; a negative number counts as 0.
  package static func episode(season: Int64, number: Int64) -> Slug {
    Slug(ascii: "s\(padded(season))e\(padded(number))")
  }

  /// `2024-05-20`, for an episode of a daily show.
  package static func day(_ day: CalendarDay) -> Slug {
    Slug(ascii: day.description)
  }

  /// The slug with `-2`, `-3`… for the second, third… episode with the same slug.
  package func numbered(_ number: Int) -> Slug {
    let suffix = "-\(number)"
    return Slug(ascii: Self.cut(description, to: Self.longest - suffix.utf8.count) + suffix)
  }

  /// Formats with at least two digits; a negative number counts as 0.
  static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(max(0, number))" : String(number)
  }

  /// Truncates ASCII words, at a word boundary if that loses less than half.
  private static func cut(_ words: String, to limit: Int) -> String {
    guard words.utf8.count > limit else { return words }
    var kept = Substring(words.utf8.prefix(limit))
    let isWholeWord = words.utf8.dropFirst(limit).first == UInt8(ascii: "-")
    if !isWholeWord, let hyphen = kept.lastIndex(of: "-"), kept[..<hyphen].utf8.count >= limit / 2 {
      kept = kept[..<hyphen]
    }
    while let last = kept.last, "._-".contains(last) { kept.removeLast() }
    return String(kept)
  }

  private static func anonymous(_ identity: String) -> String {
    let hash = StableHash.of(identity)
    let folded = UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
    return "x" + Hex.text(of: UInt64(folded)).suffix(8)
  }
}
