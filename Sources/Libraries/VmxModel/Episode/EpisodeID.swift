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
    guard Self.isWhole(text.utf8) else { return nil }
    description = text
  }

  private init(unchecked text: String) {
    description = text
  }

  /// The id of a record that is not decoded yet.
  package static let unknown = EpisodeID(unchecked: "-/-")

  /// Whether the bytes are a well-formed id.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isWhole(bytes) }

  /// Creates an id from the slugs of a show and of an episode.
  package init(show: Slug, episode: Slug) {
    description = "\(show)/\(episode)"
  }

  /// The first half, which names the show.
  package var show: String { String(description[..<middle]) }
  /// The second half, which names the episode within the show.
  package var episode: String { String(description[middle...].dropFirst()) }

  private var middle: String.Index {
    description.utf8.firstIndex(of: UInt8(ascii: "/")) ?? description.endIndex
  }

  package static func < (left: EpisodeID, right: EpisodeID) -> Bool {
    left.description < right.description
  }

  private static func isWhole(_ bytes: some Collection<UInt8>) -> Bool {
    guard let middle = bytes.firstIndex(of: UInt8(ascii: "/")) else { return false }
    return isHalf(bytes[..<middle]) && isHalf(bytes[bytes.index(after: middle)...])
  }

  static func isHalf(_ half: some Collection<UInt8>) -> Bool {
    guard let first = half.first, half.count <= Slug.longest, isAlphanumeric(first) else {
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
