package import VmxModel

/// What the machines need done with the bytes of a part: over the network by `vmx fetch`, from a
/// local file by `vmx add`, from memory in tests.
///
/// Every call may be made again after a crash, with the record as it was before it.
package protocol PartBytes: Sendable {
  /// Looks at what is held of the part, without the network.
  func held(of part: PartContext) throws -> HeldBytes
  /// Asks the policies that must agree before a byte flows; throws what they say no with.
  func admit(_ part: PartContext) throws
  /// Brings all bytes to the partial file.
  func transfer(_ part: PartContext) throws -> FoundBytes
  /// Waits until what holds a part that is `waiting` has passed, if the run sits through that.
  ///
  /// - Returns: whether to go on with it now; else it stays `waiting` for a later run.
  /// - Throws: `WorkEnded` if the process is asked to stop meanwhile.
  func waitForPolicy(_ part: PartContext) throws -> Bool
  /// Waits a moment for an episode that another worker has, if the run stays for that.
  ///
  /// - Returns: whether to try for it once more.
  /// - Throws: `WorkEnded` if the process is asked to stop.
  func waitForClaim() throws -> Bool
  /// Looks at the file of a part that was found damaged, before it is repaired.
  ///
  /// - Returns: nil if nothing stands at its path any more.
  /// - Throws: `repair-refused` if nothing tells what its bytes should be.
  func damage(of part: PartContext) throws -> DamagedFile?
  /// Proves the whole partial file: length, digest, container.
  func check(_ part: PartContext) throws -> CheckedBytes
  /// Takes the checked file to its recorded name, durably; gives the path below the root.
  ///
  /// - Returns: nil if another file has that name, or the record has none.
  func place(_ part: PartContext) throws -> PlacedFile?
  /// Takes all files of the part out of the library, durably; what is gone already is not missed.
  func remove(_ part: PartContext) throws
  /// Keeps the record of a changed episode beside its files, with what was found now of parts
  /// whose segments were digested, by part name; durable on return.
  ///
  /// - Returns: why it could not, which is no failure of the episode: the store has all that counts,
  ///   and `vmx verify` writes it anew.
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

/// How much of a part is held in its partial file.
package enum HeldBytes: Sendable, Equatable {
  /// Nothing, or only some of it.
  case some(Int64)
  /// All of it, as far as can be told without proving it.
  case all
}

/// What a transfer found.
package struct FoundBytes: Sendable, Equatable {
  /// Bytes of the whole.
  package let size: ByteCount
  /// SHA-256 of the whole.
  package let sha256: Digest
  /// How far the bytes are trusted.
  package let proof: Proof
  /// SHA-256 of each 4 MiB segment in order; empty where they were not made.
  package let segments: [Digest]
  /// Which version of which source they are; nil where no one source gave them.
  package let version: FetchedVersion?
  /// URL of the source that gave them; nil where no one source did.
  package internal(set) var source: String?
  /// How the server says that a text is encoded.
  package let charset: String?

  /// What was found.
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

/// What the proof of the whole found, and the name it will stand under.
package struct CheckedBytes: Sendable, Equatable {
  /// What the bytes are.
  package let found: FoundBytes
  /// The root that will hold the file.
  package let root: String
  /// Path below the root that it is to get.
  package let path: String
  /// What came, where `found` is of another form that is kept instead.
  package let original: OriginalFile?

  /// What was proven, and where it goes.
  package init(found: FoundBytes, root: String, path: String, original: OriginalFile? = nil) {
    self.original = original
    self.found = found
    self.root = root
    self.path = path
  }
}

/// Where a file stands for good.
package struct PlacedFile: Sendable, Equatable {
  /// Path below the root.
  package let path: String
  /// When its bytes were read back and found right; nil where they only passed.
  package let proven: Timestamp?

  /// A file at a path below the root.
  package init(path: String, proven: Timestamp? = nil) {
    self.path = path
    self.proven = proven
  }
}
