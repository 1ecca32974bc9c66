package import VmxModel

/// What the actions of a machine work on: one part of an episode, and the door to its bytes.
package struct PartContext: Sendable {
  /// The episode as it was last recorded, with what the action changes.
  package var episode: Episode
  /// Which of its parts is in work.
  package let index: Int
  /// What can be done with the bytes.
  package let bytes: any PartBytes

  /// A context for one part; the index must be one of the episode's.
  package init(_ episode: Episode, part index: Int, bytes: any PartBytes) {
    self.episode = episode
    self.index = index
    self.bytes = bytes
  }

  /// The part in work.
  package var part: Part {
    get { episode.parts[index] }
    set { episode.parts[index] = newValue }
  }
}
