/// One part of an episode, as an operation works on it.
///
///     var work = EpisodePart(episode, at: 0)
///     work.part.size = found.size
package struct EpisodePart: Sendable, Equatable {
  /// The episode as it was last recorded, with the changes of the operation.
  package var episode: Episode
  /// The index of the part among those of the episode.
  package let index: Int

  /// Creates a reference to a part; the index must be one of the episode's.
  package init(_ episode: Episode, at index: Int) {
    self.episode = episode
    self.index = index
  }

  /// The part.
  package var part: Part {
    get { episode.parts[index] }
    set { episode.parts[index] = newValue }
  }
}

/// Verifies and publishes the bytes of a part, the same for every source.
///
/// Every call may be repeated after a crash, with the record as it was before the call.
package protocol PartFinishing: Sendable {
  /// Inspects the file of a damaged part before its repair.
  ///
  /// - Returns: nil if no file is at its path.
  /// - Throws: `repair-refused` if no digest tells the expected bytes.
  func damage(of part: EpisodePart) throws -> DamagedFile?
  /// Verifies the whole partial file: length, digest, container.
  ///
  /// - Parameter found: the result of a transfer in this process; nil after a crash.
  func check(_ part: EpisodePart, _ found: FoundBytes?) throws -> CheckedBytes
  /// Takes the checked file to its recorded name, durably; gives the path below the root.
  ///
  /// - Returns: nil if another file has that name, or the record has none.
  func place(_ part: EpisodePart) throws -> PlacedFile?
  /// Writes the sidecar of a changed episode, durable on return.
  ///
  /// - Parameter found: the bytes of the parts whose segments were digested, by part name.
  /// - Returns: the failure to write it, which does not fail the episode: the store has all that
  ///   matters, and `vmx verify` writes the sidecar again.
  func remember(_ episode: Episode, found: [String: FoundBytes]) -> Failure?
}

/// Removes the files of a part.
package protocol PartRemoving: Sendable {
  /// Takes all files of the part out of the library, durably; what is gone already is not missed.
  func remove(_ part: EpisodePart) throws
}
