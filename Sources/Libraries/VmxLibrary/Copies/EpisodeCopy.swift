package import VmxModel

/// A location that holds files of an episode: a root of the library, or a bundle.
package struct EpisodeCopy: Sendable, Equatable {
  /// Whether the files are still at their location.
  package enum Presence: String, Sendable, CaseIterable {
    /// The files exist and are unchanged since the last verification.
    case reachable
    /// The location is unreachable, such as a disk that is not mounted.
    case unreachable
    /// The folder of the bundle is there, and the bundle is not.
    case missing
    /// The location has other files or none.
    case changed
  }

  /// The absolute path of the video in a root, or of the bundle.
  package let path: String
  /// `library`, or the type of the bundle as in `vmx export --type`.
  package let type: String
  /// The time at which the bytes were last written or verified; nil if they never were.
  package let verified: Timestamp?
  /// Whether the files are still at their location.
  package let presence: Presence
  /// Whether the video has the bytes that the library has recorded; nil if either has no digest.
  package let isSame: Bool?

  /// Creates a location.
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
