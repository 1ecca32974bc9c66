/// The name of an episode for users and scripts: `show-slug/s01e02`.
///
/// Each half matches `[a-z0-9][a-z0-9._-]*` and has at most 100 bytes. An id is therefore always a
/// safe path of two components, and needs neither quoting in a shell nor escaping in JSON.
package struct EpisodeID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The full text of the id.
  package let description: String

  /// Creates an id from its text.
  ///
  /// - Throws: `bad-id` if the text is malformed.
  package init(_ text: String) throws(Failure) {
    guard let id = EpisodeID(valid: text) else {
      throw .notAnID(text)
    }
    self = id
  }

  /// Creates an id from its text; nil if the text is malformed.
  package init?(valid text: String) {
    guard Self.isValid(text.utf8) else { return nil }
    description = text
  }

  /// Creates an id from what a user typed, in any case: ids have no capital letters. Nil if the
  /// text is malformed.
  package init?(typed text: String) {
    self.init(valid: text.lowercased())
  }

  private init(unchecked text: String) {
    description = text
  }

  /// Returns the ids in a text, in order. Each longest run of id characters is tried, and then the
  /// same run without its trailing punctuation.
  package static func named(in text: String) -> [EpisodeID] {
    text.utf8.split { !isAlphanumeric($0) && !isMark($0) && $0 != UInt8(ascii: "/") }.flatMap {
      var words = [$0]
      if let end = $0.lastIndex(where: isAlphanumeric), $0.index(after: end) < $0.endIndex {
        words.append($0[...end])
      }
      return words.compactMap { EpisodeID(valid: String(Substring($0))) }
    }
  }

  /// A placeholder for the id of a record that is not decoded yet.
  package static let unknown = EpisodeID(unchecked: "-/-")

  /// Creates an id from the slugs of a show and of an episode.
  package init(show: Slug, episode: Slug) {
    description = "\(show)/\(episode)"
  }

  /// The first half, which names the show.
  package var show: String { String(description[..<middle]) }
  /// The second half, which names the episode within the show.
  package var episode: String { String(description[middle...].dropFirst()) }

  /// The season and number in a second half such as `s01e02`; nil for another one.
  package var numbers: (season: Int64, number: Int64)? {
    let words = episode.dropFirst().split(separator: "e", omittingEmptySubsequences: false)
    guard episode.first == "s", words.count == 2, let season = Int64(words[0]),
      let number = Int64(words[1]), season >= 0, number >= 0
    else { return nil }
    return (season, number)
  }

  private var middle: String.Index {
    description.utf8.firstIndex(of: UInt8(ascii: "/")) ?? description.endIndex
  }

  package static func < (left: EpisodeID, right: EpisodeID) -> Bool {
    left.description < right.description
  }

  private static func isValid(_ bytes: some Collection<UInt8>) -> Bool {
    guard let middle = bytes.firstIndex(of: UInt8(ascii: "/")) else { return false }
    return isHalf(bytes[..<middle]) && isHalf(bytes[bytes.index(after: middle)...])
  }

  static func isHalf(_ half: some Collection<UInt8>) -> Bool {
    guard let first = half.first, half.count <= Slug.maxLength, isAlphanumeric(first) else {
      return false
    }
    return half.allSatisfy { isAlphanumeric($0) || isMark($0) }
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

extension EpisodeID {
  /// The offset in the lock file at which the bytes for claims begin.
  package static let firstClaim: Int64 = 4096

  /// The byte offset in the lock file for a claim on the episode: 4096 and up, below 2^62 + 4096.
  /// Two ids may share an offset; then one of them merely appears busy.
  package var claimOffset: Int64 { Self.claimOffset(of: description) }

  /// The byte offset in the lock file for a claim on what has a name, in the same range.
  package static func claimOffset(of name: String) -> Int64 {
    firstClaim + Int64(truncatingIfNeeded: StableHash.of(name) & (1 << 62 - 1))
  }
}

/// One half of an episode id: `[a-z0-9][a-z0-9._-]*`, at most 100 bytes.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of a slug in bytes.
  package static let maxLength = 100

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
    let words = Self.truncated(Transliteration.hyphenated(of: text), to: Self.maxLength)
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
    return Slug(ascii: Self.truncated(description, to: Self.maxLength - suffix.utf8.count) + suffix)
  }

  /// Formats with at least two digits; a negative number counts as 0.
  package static func padded(_ number: Int64) -> String {
    number < 10 ? "0\(max(0, number))" : String(number)
  }

  /// Truncates ASCII words, at a word boundary if that loses less than half.
  private static func truncated(_ words: String, to limit: Int) -> String {
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
