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

/// The result of a transfer.
package struct FoundBytes: Sendable, Equatable {
  /// The size of the whole in bytes.
  package let size: ByteCount
  /// The SHA-256 of the whole.
  package let sha256: Digest
  /// The strength of the evidence for the bytes.
  package let proof: Proof
  /// The SHA-256 of each 4 MiB segment in order; empty where the segments were not digested.
  package let segments: [Digest]
  /// The source version of the bytes; nil where they did not come from a single source.
  package let version: FetchedVersion?
  /// The URL of the source of the bytes; nil where they did not come from a single source.
  package var source: String?
  /// The charset that the server declared for a text.
  package let charset: String?

  /// Creates a result.
  package init(
    size: ByteCount, sha256: Digest, proof: Proof, segments: [Digest] = [], source: String? = nil,
    version: FetchedVersion? = nil, charset: String? = nil
  ) {
    self.version = version
    self.charset = charset
    self.size = size
    self.sha256 = sha256
    self.proof = proof
    self.segments = segments
    self.source = source
  }
}

/// The result of the verification of the whole, and the name that the file will get.
package struct CheckedBytes: Sendable, Equatable {
  /// The verified bytes.
  package let found: FoundBytes
  /// The root that will hold the file.
  package let root: String
  /// Path below the root that it is to get.
  package let path: String
  /// The received file, where `found` describes a converted form that is kept instead.
  package let original: OriginalFile?

  /// Creates a result.
  package init(found: FoundBytes, root: String, path: String, original: OriginalFile? = nil) {
    self.original = original
    self.found = found
    self.root = root
    self.path = path
  }
}

/// The final place of a file.
package struct PlacedFile: Sendable, Equatable {
  /// Path below the root.
  package let path: String
  /// The time when its bytes were read back and matched; nil where they were only hashed while
  /// received.
  package let proven: Timestamp?

  /// Creates the place of a file at a path below the root.
  package init(path: String, proven: Timestamp? = nil) {
    self.path = path
    self.proven = proven
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
