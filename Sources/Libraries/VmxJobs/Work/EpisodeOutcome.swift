package import VmxModel

/// How the work on one episode ended.
package struct EpisodeOutcome: Sendable {
  /// The word that stands in records.
  package enum Word: String, Sendable {
    /// It is ready now and was not before.
    case done
    /// Nothing was to do, or someone else does it.
    case unchanged
    /// A policy or a condition holds it.
    case waiting
    /// It failed.
    case failed
  }

  /// Which episode.
  package let id: EpisodeID
  /// How it ended.
  package let word: Word
  /// The episode as recorded at the end; nil if it could not be read.
  package let episode: Episode?
  /// Why it waits or failed, or why nothing was done.
  package let failure: Failure?
  /// Whether the work ended before its end because the process was asked to stop.
  package let wasInterrupted: Bool

  /// Why the sidecar or the NFO file could not be written; nil where they are as they should be.
  package internal(set) var unsaved: Failure?

  /// An end of the work on an episode.
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
