/// Some facts about an episode, decoded without the rest of its record: cheap enough to read a
/// million episodes.
///
/// Only the fields of the `EpisodeFields` that it was read with are known; the others have their
/// initial values. A line that is damaged in another field still counts here, though it cannot be
/// decoded as an episode.
package struct EpisodeSummary: Sendable {
  private let episode: Episode

  /// Creates the summary of an episode, of which only some fields may be decoded.
  package init(_ episode: Episode) {
    self.episode = episode
  }

  /// The episode.
  package var id: EpisodeID { episode.id }
  /// The sequence number (`seq`) of its line.
  package var rev: Int64 { episode.rev }
  /// The action that the user asked for.
  package var want: Want { episode.want }
  /// Whether the user marked it to be kept.
  package var isKept: Bool { episode.isKept }
  /// Whether the user marked it as watched.
  package var isWatched: Bool { episode.isWatched }
  /// The time after which it may no longer be watched.
  package var expires: Timestamp? { episode.expires }
  /// The parts, in their order.
  package var parts: [Part] { episode.parts }
  /// The state of the whole episode.
  package var state: EpisodeState { episode.state }
  /// The last step of its trail.
  package var lastStep: Transition? { episode.trail.last }
  /// The reason for waiting; nil unless the episode waits.
  package var reason: WaitReason? { waiting?.reason }
  /// The time when waiting ends by itself; nil unless the episode waits.
  package var until: Timestamp? { waiting?.until }

  private var waiting: Part? { episode.state == .waiting ? episode.speakingPart : nil }
}

extension EpisodeFields {
  /// The fields that count an episode by its state.
  package static let standing = EpisodeFields(
    [.want, .parts], parts: [.role, .required, .state, .reason, .until])
  /// The fields that count an episode, and its last step.
  package static let lastStep = EpisodeFields(
    [.want, .parts, .trail], parts: [.role, .required, .state, .reason, .until])
  /// The fields that name the files of an episode.
  package static let paths = EpisodeFields([.parts], parts: [.lang, .state, .root, .path, .size])
  /// The fields that compare the files of an episode with the disks.
  package static let files = EpisodeFields(
    [.want, .keep, .watched, .expires, .parts],
    parts: [
      .role, .lang, .forced, .sdh, .required, .state, .resumeState, .root, .path, .size, .sha256,
      .proof,
      .proven, .original,
    ])
}
