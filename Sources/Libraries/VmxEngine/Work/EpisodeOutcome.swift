package import VmxModel

/// The outcome of the work on one episode.
package struct EpisodeOutcome: Sendable {
  /// The outcome as a word of the output records.
  package enum Word: String, Sendable {
    /// It is ready now and was not before.
    case done
    /// Nothing had to be done, or another worker does it.
    case unchanged
    /// A policy or a condition delays it.
    case waiting
    /// It failed.
    case failed
  }

  /// The id of the episode.
  package let id: EpisodeID
  /// The outcome word.
  package let word: Word
  /// The episode as recorded at the end; nil if it could not be read.
  package let episode: Episode?
  /// The reason why it waits or failed, or why nothing was done.
  package let failure: Failure?
  /// Whether the work was interrupted because the process was asked to stop.
  package let wasInterrupted: Bool

  /// The failure to write the sidecar or the NFO file; nil if both are up to date.
  package internal(set) var unsaved: Failure?

  /// Creates an outcome.
  package init(
    _ id: EpisodeID, _ word: Word, _ episode: Episode?, _ failure: Failure? = nil,
    wasInterrupted: Bool = false
  ) {
    self.id = id
    self.word = word
    self.episode = episode
    self.failure = failure
    self.wasInterrupted = wasInterrupted
  }
}
