package import VmxModel

/// The recorded facts about a file at the moment when its verification began.
package struct JudgedFile: Sendable, Equatable {
  /// The UUID of its root.
  package let root: String
  /// Its path below the root.
  package let path: String
  /// The size of the whole file in bytes, where it was known.
  package let size: ByteCount?
  /// The SHA-256 of the whole file, where it was known.
  package let sha256: Digest?

  /// Creates it from a recorded part. Nil if the record names no file, or if no file is expected in
  /// the part's state.
  package init?(_ part: Part) {
    guard Self.expectsFile(part.state), let root = part.root, let path = part.path else {
      return nil
    }
    self.root = root
    self.path = path
    size = part.size
    sha256 = part.sha256
  }

  /// Whether a file is expected in a state, or is known to be damaged or missing.
  package static func expectsFile(_ state: PartState) -> Bool {
    switch state {
    case .ready, .missing, .damaged: true
    default: false
    }
  }
}

/// The result of the verification of one file.
package struct MediaFinding: Sendable, Equatable {
  /// The verdict on a file.
  package enum Verdict: Sendable, Equatable {
    /// Its bytes match its digest; a weaker check does not count.
    case intact
    /// No file is at its path, and its root is mounted.
    case missing
    /// The file at its path has other bytes; the text describes the difference.
    case damaged(String)
    /// A file at another path below the same root has its bytes.
    case moved(to: String)
  }

  /// The episode.
  package let episode: EpisodeID
  /// The name of the part.
  package let part: String
  /// The file as it was recorded when the verification began.
  package let judged: JudgedFile
  /// The verdict.
  package let verdict: Verdict
  /// The time of the verification.
  package let at: Timestamp

  /// Creates a finding.
  package init(
    of part: String, in episode: EpisodeID, _ judged: JudgedFile, _ verdict: Verdict, at: Timestamp
  ) {
    self.episode = episode
    self.part = part
    self.judged = judged
    self.verdict = verdict
    self.at = at
  }
}
