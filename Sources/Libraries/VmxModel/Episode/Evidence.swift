/// Evidence that two descriptions mean one episode.
///
/// It is kept in the store as a short key, a letter and the 64-bit `StableHash` of the evidence,
/// so that a writer finds it among a million records without decoding them; whoever finds a key
/// compares nothing else, because two equal hashes are rarer than two equal titles.
package enum Evidence: Sendable, Hashable {
  /// The guid of an item in a feed.
  case feedItem(feed: String, guid: String)
  /// A source URL without its tracking parameters.
  case source(String)
  /// A place within a show.
  case numbered(show: String, season: Int64, number: Int64)
  /// A day of a daily show.
  case dated(show: String, day: CalendarDay)
  /// The digest of the whole video.
  case digest(String)
  /// A key as the store holds it, whatever it was made from.
  case key(String)

  /// Two are the same evidence where their keys are: what the store gives back is a key.
  package static func == (left: Evidence, right: Evidence) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }

  /// The key that stands in the store: a letter, `:` and 16 hexadecimal digits.
  package var key: String {
    switch self {
    case .feedItem(let feed, let guid): Self.key("f", [feed, guid])
    case .source(let url): Self.key("u", [url])
    case .numbered(let show, let season, let number):
      Self.key("n", [show, String(season), String(number)])
    case .dated(let show, let day): Self.key("t", [show, day.description])
    case .digest(let hex): Self.key("d", [hex])
    case .key(let key): key
    }
  }

  private static func key(_ letter: Character, _ parts: [String]) -> String {
    var hash = StableHash()
    for part in parts {
      hash.combine(part.utf8)
      hash.combine([0])
    }
    return "\(letter):\(Hex.text(of: hash.value))"
  }
}
