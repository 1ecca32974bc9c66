/// One half of an episode id: `[a-z0-9][a-z0-9._-]*`, at most 100 bytes.
package struct Slug: Sendable, Hashable, CustomStringConvertible {
  /// Bytes in the longest slug.
  package static let longest = 100

  /// The slug itself.
  package let description: String

  /// A slug that already has the right form; nil otherwise.
  package init?(valid text: String) {
    guard EpisodeID.isHalf(text.utf8) else { return nil }
    description = text
  }
}
