/// A place that holds files of an episode: a root of the library, or a bundle.
package struct EpisodeCopy: Sendable, Equatable {
  /// Whether the files are where they were.
  package enum Presence: String, Sendable, CaseIterable {
    /// They are there, as they were at the last verification.
    case reachable
    /// Their place is not there now, such as a disk that is not mounted.
    case unreachable
    /// Something else, or nothing, is in their place.
    case changed
  }

  /// The absolute path of the video in a root, or of the bundle.
  package let path: String
  /// `library`, or the type of the bundle as in `vmx export --type`.
  package let type: String
  /// The time at which the bytes were last written or verified; nil if they never were.
  package let verified: Timestamp?
  /// Whether the files are where they were.
  package let presence: Presence
  /// Whether the video has the bytes that the library has recorded; nil where one of them has no
  /// digest.
  package let isSame: Bool?

  /// Creates a place.
  package init(
    path: String, type: String, verified: Timestamp?, presence: Presence, isSame: Bool?
  ) {
    self.path = path
    self.type = type
    self.verified = verified
    self.presence = presence
    self.isSame = isSame
  }
}
