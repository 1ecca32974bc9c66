/// A key by which two descriptions are recognised as the same episode.
///
/// The store keeps it as a letter and the 64-bit `StableHash` of the identifying values. A writer
/// finds it among a million records without decoding them. A match of two keys counts as identity
/// without further comparison, because equal hashes are rarer than equal titles.
package struct IdentityKey: Sendable, Hashable {
  /// The key in the store: a letter, `:` and 16 hexadecimal digits.
  package let key: String

  /// The key of an item's guid in a feed.
  package static func feedItem(feed: String, guid: String) -> IdentityKey {
    IdentityKey("f", feed, guid)
  }

  /// The key of a source URL without its tracking parameters.
  package static func source(_ url: String) -> IdentityKey { IdentityKey("u", url) }

  /// The key of a season and number within a show.
  package static func numbered(show: String, season: Int64, number: Int64) -> IdentityKey {
    IdentityKey("n", show, String(season), String(number))
  }

  /// The key of a day of a daily show.
  package static func dated(show: String, day: CalendarDay) -> IdentityKey {
    IdentityKey("t", show, day.description)
  }

  /// The key of the digest of the whole video.
  package static func digest(_ hex: String) -> IdentityKey { IdentityKey("d", hex) }

  /// A key as read from the store, of any kind.
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
