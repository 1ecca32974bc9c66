package import VmxModel

/// The operations of the state machines on the bytes of a part. `vmx fetch` performs them over the
/// network, `vmx add` from a local file, and tests in memory.
///
/// Every call may be repeated after a crash, with the record as it was before the call.
package protocol PartBytes: Sendable {
  /// Inspects the partial file of the part, without the network.
  func held(of part: PartContext) throws -> HeldBytes
  /// Asks the transfer policies for permission to transfer.
  ///
  /// - Throws: the refusal of a policy.
  func admit(_ part: PartContext) throws
  /// Transfers all bytes into the partial file.
  func transfer(_ part: PartContext) throws -> FoundBytes
  /// Waits until a part that is `waiting` may go on, if the run waits for such conditions.
  ///
  /// - Returns: whether to resume now; else it stays `waiting` for a later run.
  /// - Throws: `WorkEnded` if the process is asked to stop meanwhile.
  func waitForPolicy(_ part: PartContext) throws -> Bool
  /// Waits briefly for an episode that another worker has claimed, if the run waits for claims.
  ///
  /// - Returns: whether to try the claim again.
  /// - Throws: `WorkEnded` if the process is asked to stop.
  func waitForClaim() throws -> Bool
  /// Inspects the file of a damaged part before its repair.
  ///
  /// - Returns: nil if no file is at its path.
  /// - Throws: `repair-refused` if no digest tells the expected bytes.
  func damage(of part: PartContext) throws -> DamagedFile?
  /// Verifies the whole partial file: length, digest, container.
  func check(_ part: PartContext) throws -> CheckedBytes
  /// Takes the checked file to its recorded name, durably; gives the path below the root.
  ///
  /// - Returns: nil if another file has that name, or the record has none.
  func place(_ part: PartContext) throws -> PlacedFile?
  /// Takes all files of the part out of the library, durably; what is gone already is not missed.
  func remove(_ part: PartContext) throws
  /// Writes the sidecar of a changed episode, durable on return.
  ///
  /// - Parameter found: the bytes of the parts whose segments were digested, by part name.
  /// - Returns: the failure to write it, which does not fail the episode: the store has all that
  ///   matters, and `vmx verify` writes the sidecar again.
  func remember(_ episode: Episode, found: [String: FoundBytes]) -> Failure?
}

extension PartBytes {
  package func waitForPolicy(_ part: PartContext) throws -> Bool { false }

  package func waitForClaim() throws -> Bool { false }

  package func damage(of part: PartContext) throws -> DamagedFile? {
    throw Failure(.internalError, "nothing is repaired here")
  }

  package func remove(_ part: PartContext) throws {
    throw Failure(.internalError, "what is fetched is not removed")
  }
}

/// How much of a part its partial file holds.
package enum HeldBytes: Sendable, Equatable {
  /// The number of bytes held, possibly 0, if it is less than all.
  case some(Int64)
  /// All bytes, as far as can be told without verification.
  case all
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
  package internal(set) var source: String?
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
