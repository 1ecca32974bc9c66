/// The name of an episode for people and scripts: `show-slug/s01e02`.
///
/// Each half matches `[a-z0-9][a-z0-9._-]*` and has at most 100 bytes, so an id is always a safe
/// path of two components, needs no quoting in a shell and no escaping in JSON.
package struct EpisodeID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The whole id.
  package let description: String

  /// An id from its text.
  ///
  /// - Throws: `bad-id` if the text has another form.
  package init(_ text: String) throws(Failure) {
    guard let id = EpisodeID(valid: text) else {
      throw .notAnID(text)
    }
    self = id
  }

  /// An id from its text; nil if the text has another form.
  package init?(valid text: String) {
    guard Self.isWhole(text.utf8) else { return nil }
    description = text
  }

  /// Whether bytes have the form of an id.
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isWhole(bytes) }

  /// An id of a show's slug and an episode's, both of the right form.
  package init(show: Slug, episode: Slug) {
    description = "\(show)/\(episode)"
  }

  /// The show's half.
  package var show: String { String(description[..<middle]) }
  /// The episode's half.
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
