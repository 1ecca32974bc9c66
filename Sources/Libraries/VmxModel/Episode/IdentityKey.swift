/// IdentityKey that two descriptions mean one episode.
///
/// It is kept in the store as a short key, a letter and the 64-bit `StableHash` of the evidence,
/// so that a writer finds it among a million records without decoding them; whoever finds a key
/// compares nothing else, because two equal hashes are rarer than two equal titles.
package struct IdentityKey: Sendable, Hashable {
  /// The key that stands in the store: a letter, `:` and 16 hexadecimal digits.
  package let key: String

  /// The guid of an item in a feed.
  package static func feedItem(feed: String, guid: String) -> IdentityKey {
    IdentityKey("f", feed, guid)
  }

  /// A source URL without its tracking parameters.
  package static func source(_ url: String) -> IdentityKey { IdentityKey("u", url) }

  /// A place within a show.
  package static func numbered(show: String, season: Int64, number: Int64) -> IdentityKey {
    IdentityKey("n", show, String(season), String(number))
  }

  /// A day of a daily show.
  package static func dated(show: String, day: CalendarDay) -> IdentityKey {
    IdentityKey("t", show, day.description)
  }

  /// The digest of the whole video.
  package static func digest(_ hex: String) -> IdentityKey { IdentityKey("d", hex) }

  /// A key as the store holds it, whatever it was made from.
  package static func key(_ key: String) -> IdentityKey { IdentityKey(key: key) }

  private init(key: String) {
    self.key = key
  }

  private init(_ letter: String, _ parts: String...) {
    var hash = StableHash()
    for part in parts {
      hash.combine(part.utf8)
      hash.combine(CollectionOfOne(0))
    }
    key = letter + ":" + Hex.text(of: hash.value)
  }
}
