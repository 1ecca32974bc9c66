package import VmxModel
import VmxJobs

/// One part as the policies look at it.
package struct PolicySubject: Sendable, Equatable {
  /// The episode.
  package var episode: EpisodeID
  /// Names the part among all parts.
  package var key: String

  /// A part of an episode.
  package init(episode: EpisodeID, part: String) {
    self.episode = episode
    key = "\(episode) \(part)"
  }
}

extension PolicySubject {
  init(_ context: PartContext) {
    self.init(episode: context.episode.id, part: context.part.name)
  }
}
