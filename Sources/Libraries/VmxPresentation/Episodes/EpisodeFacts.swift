package import VmxModel

/// Facts about an episode from outside its own record.
package struct EpisodeFacts: Sendable, Equatable {
  /// The rule that decides whether the episode is due at the time shown.
  package var due: DueRule
  /// The bytes received of unfinished parts, by the name of the part.
  package var completedBytes: [String: Int64] = [:]
  /// The absolute paths of the roots, by their UUID.
  package var folders: [String: String] = [:]
  /// The first preceding episode that is neither ready nor given up; nil if there is none.
  package var predecessor: EpisodeID?
  /// The other episodes that the record names and that must not be shown.
  package var hidden: Set<EpisodeID> = []
  /// The work on the episode at this moment; nil if no process works on it.
  package var work: StatusItem?

  /// The age rating of its show; nil if it has none.
  package var showAgeRating: String?

  /// The position at which playback resumes; nil for the start, or if it was not requested.
  package var position: PlaybackPosition?

  /// The path of the picture; nil if there is none or it was not requested.
  package var imageFile: String?

  /// The position among the due episodes; nil if the episode is not due or the position was not
  /// requested.
  package var rank: Int?

  /// The time to which the shown facts refer.
  package var now: Timestamp { due.now }

  /// Creates facts for the time of a due rule.
  package init(_ due: DueRule) {
    self.due = due
  }

  /// Returns the episode as it may be shown: without the ids of hidden episodes.
  func shown(_ episode: Episode) -> Episode {
    guard !hidden.isEmpty else { return episode }
    var episode = episode
    episode.after.removeAll { hidden.contains($0) }
    for index in episode.parts.indices {
      guard let message = episode.parts[index].message,
        EpisodeID.named(in: message).contains(where: hidden.contains)
      else { continue }
      episode.parts[index].message = episode.parts[index].code?.entry.sentence
    }
    return episode
  }

  /// Returns the number of bytes received of a part.
  package func completedBytes(of part: Part) -> ByteCount {
    if let bytes = completedBytes[part.name] { return ByteCount(clamping: bytes) }
    switch part.resumeState ?? part.state {
    case .complete, .checked, .ready, .damaged: return part.size ?? ByteCount(clamping: 0)
    default: return ByteCount(clamping: 0)
    }
  }

  /// Returns the path of a part's file: absolute if its root is known, else relative to the root.
  package func file(of part: Part) -> String? {
    guard let path = part.path else { return nil }
    guard let root = part.root, let folder = folders[root] else { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
