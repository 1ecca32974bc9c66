/// A key by which two descriptions are recognised as the same episode.
///
/// The store keeps it as a letter and the 64-bit `StableHash` of the identifying values. A writer
/// finds it among a million records without decoding them. A match of two keys counts as identity
/// without further comparison, because equal hashes are rarer than equal titles.
package struct IdentityKey: Sendable, Hashable {
  /// The number of bytes of the key in the store.
  private static let length = 18

  /// The letter of its kind.
  private let letter: UInt8
  /// The hash of the identifying values.
  private let hash: UInt64

  /// The key of an item's guid in a feed.
  package static func feedItem(feed: String, guid: String) -> IdentityKey {
    IdentityKey(.item, feed, guid)
  }

  /// The key of a guid whose feed is not known, as in a download archive; nil for a guid that many
  /// feeds may have, such as a number.
  package static func item(ofAnyFeed guid: String) -> IdentityKey? {
    guard guid.utf8.count >= 6, guid.contains(where: { !$0.isNumber }) else { return nil }
    return IdentityKey(.item, "", guid)
  }

  /// The key of a word in the name of a file that may be the guid of an item; nil as for `item`. A
  /// word such as that of a release group is in many names, so it connects no two files.
  package static func named(guid: String) -> IdentityKey? { item(ofAnyFeed: guid)?.ofName }

  /// The key under which the name of a file has the guid of this key.
  var ofName: IdentityKey { IdentityKey(Kind.named, hash) }

  /// The key of a source URL without its tracking parameters.
  package static func source(_ url: String) -> IdentityKey { IdentityKey(.address, url) }

  /// The key of the page of an episode, whatever its scheme; nil for the home page of a site.
  package static func page(_ url: String) -> IdentityKey? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    var page = url[scheme.upperBound...]
    if page.hasPrefix("www.") { page = page.dropFirst(4) }
    while page.last == "/" { page.removeLast() }
    return page.contains("/") || page.contains("?") ? IdentityKey(.page, String(page)) : nil
  }

  /// The key of a season and number within a show; the default season is 1.
  package static func numbered(show: String, season: Int64?, number: Int64) -> IdentityKey {
    IdentityKey(.number, show, String(season ?? 1), String(number))
  }

  /// The key of a day of a daily show.
  package static func dated(show: String, day: CalendarDay) -> IdentityKey {
    IdentityKey(.day, show, day.description)
  }

  /// The key of an episode's id in a catalogue or at a site, such as `tvmaze` or `bbc`.
  package static func outside(catalogue: String, id: String) -> IdentityKey {
    IdentityKey(.catalogue, catalogue.lowercased(), id)
  }

  /// The key of the digest of the whole video.
  package static func digest(_ hex: String) -> IdentityKey { IdentityKey(.digest, hex) }

  /// The key of the bytes of a ready video, by which a file of its own without a description is
  /// recognised. Two episodes may have the same bytes, so it identifies none of them.
  package static func bytes(_ hex: String) -> IdentityKey { IdentityKey(.bytes, hex) }

  /// The key of the id that another library of vmx gave the episode.
  package static func ownID(_ id: EpisodeID) -> IdentityKey {
    IdentityKey(.ownID, id.description)
  }

  /// The key of a folded title within a show, with the day if other episodes share the title.
  package static func titled(show: String, title: String, day: CalendarDay?) -> IdentityKey {
    IdentityKey(.title, show, title, day?.description ?? "")
  }

  /// The key of the file name of a video, without its extension, within a show.
  package static func fileName(_ name: String, show: String) -> IdentityKey {
    IdentityKey(.fileName, show, name.lowercased())
  }

  /// The key of the file name of a video, without its extension, and its exact size in bytes. It
  /// finds a file that lies in no folder of its show.
  package static func sized(_ name: String, size: Int64) -> IdentityKey {
    IdentityKey(.sizedName, name.lowercased(), String(size))
  }

  /// The key of the first episode of a show, which tells to which show a slug belongs.
  package static func showOwner(_ slug: String) -> IdentityKey { IdentityKey(.showOwner, slug) }

  /// The key of the first episode of a show with a year in its title, for the slug without it.
  package static func namesake(of slug: String) -> IdentityKey {
    IdentityKey(.showOwner, slug, "year")
  }

  /// The key of the first episode of a show, for the slug of a title of the show that is not its
  /// own slug.
  package static func showTitled(_ slug: String) -> IdentityKey {
    IdentityKey(.showOwner, slug, "title")
  }

  /// The key of a version of an item that a feed has offered and the library has declined.
  package static func declined(_ url: String) -> IdentityKey { IdentityKey(.declined, url) }

  /// The key of an episode that is another version of an earlier one, which it replaces.
  package static func replacement(of id: EpisodeID) -> IdentityKey {
    IdentityKey(.replacement, id.description)
  }

  /// The meaning of a key; its letter in the store.
  package enum Kind: Unicode.Scalar, Sendable {
    case ownID = "v"
    case item = "f"
    case named = "g"
    case address = "u"
    case page = "p"
    case number = "n"
    case day = "t"
    case title = "w"
    case fileName = "e"
    case sizedName = "z"
    case catalogue = "c"
    case digest = "d"
    case bytes = "b"
    case showOwner = "s"
    case declined = "x"
    case replacement = "r"
  }

  /// The meaning of the key; nil for a key of a later version.
  package var kind: Kind? { Kind(rawValue: Unicode.Scalar(letter)) }

  /// Whether the key identifies an episode, or at least suggests one as strongly as its number.
  package var isIdentifying: Bool {
    switch kind {
    case .named, .title, .fileName, .sizedName, .showOwner, .declined, .bytes, .replacement: false
    default: true
    }
  }

  /// Whether the key belongs to the record that has it, and says nothing of a description.
  package var isOfRecord: Bool {
    switch kind {
    case .showOwner, .declined, .bytes, .replacement: true
    default: false
    }
  }

  /// Whether the key names a show.
  package var isOfShow: Bool {
    switch kind {
    case .number, .day, .title, .fileName: true
    default: false
    }
  }

  /// A key as read from the store, of any kind. Text of another form is a key of no known kind.
  package static func key(_ key: String) -> IdentityKey {
    var key = key
    return key.withUTF8 { text in
      guard text.count > 2, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[0]),
        text[1] == UInt8(ascii: ":")
      else { return IdentityKey(letter: UInt8(ascii: "y"), hash: StableHash.of(text)) }
      let rest = UnsafeBufferPointer(rebasing: text.dropFirst(2))
      return IdentityKey(letter: text[0], hash: Hex.number(ofASCII: rest) ?? StableHash.of(rest))
    }
  }

  /// Whether external text has the form of a key.
  package static func isKey(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == length && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[0])
      && bytes[1] == UInt8(ascii: ":") && Hex.bytes(of: text.dropFirst(2)) != nil
  }

  /// The key in the store: a letter, `:` and 16 hexadecimal digits.
  package var key: String {
    String(unsafeUninitializedCapacity: Self.length) { text in
      text.initializeElement(at: 0, to: letter)
      text.initializeElement(at: 1, to: UInt8(ascii: ":"))
      for index in 0..<16 {
        text.initializeElement(at: 2 + index, to: Hex.digits[Int(hash >> (60 - 4 * index) & 15)])
      }
      return Self.length
    }
  }

  /// The key in 64 bits, for the search of equal keys in a whole library.
  package var searchHash: UInt64 { hash ^ UInt64(letter) << 56 }

  private init(letter: UInt8, hash: UInt64) {
    self.letter = letter
    self.hash = hash
  }

  private init(_ kind: Kind, _ hash: UInt64) {
    self.init(letter: UInt8(ascii: kind.rawValue), hash: hash)
  }

  private init(_ kind: Kind, _ parts: String...) {
    var hash = StableHash()
    for part in parts {
      hash.combine(part.utf8)
      hash.combine(CollectionOfOne(0))
    }
    self.init(kind, hash.value)
  }
}

extension Episode {
  /// Adds identity keys that it does not have.
  package mutating func addIdentity(_ keys: [IdentityKey]) {
    let known = Set(identity)
    identity += keys.filter { !known.contains($0) }
  }

  /// Adds the key of the bytes of its ready video.
  package mutating func addIdentityOfBytes() {
    guard let digest = readyVideo?.sha256 else { return }
    addIdentity([.bytes(digest.hex)])
  }
}

/// 64-bit FNV-1a (draft-eastlake-fnv): a hash that is the same in every process and version.
///
/// It determines the offsets of claims in the lock file and the names of partial files, so it is
/// part of the format on disk. It is not collision resistant: callers compare the full values
/// afterwards.
package struct StableHash: Sendable {
  /// The hash of all bytes combined so far.
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Combines bytes in order.
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(byte) }
  }

  /// Combines bytes in order; much faster than the generic overload for hundreds of thousands of
  /// names.
  package mutating func combine(_ bytes: [UInt8]) {
    for byte in bytes { combine(byte) }
  }

  /// Combines one byte.
  package mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// Returns the hash of a text's UTF-8.
  package static func of(_ text: String) -> UInt64 { of(text.utf8) }

  /// Returns the hash of bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash = StableHash()
    hash.combine(bytes)
    return hash.value
  }
}

/// Returns a random UUID (RFC 9562, version 4): 36 characters in lower case.
package func randomUUID() -> String {
  var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
  return groups.map { Hex.text(of: $0) }.joined(separator: "-")
}
