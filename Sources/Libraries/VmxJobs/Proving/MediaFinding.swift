package import VmxModel
package import VmxStore

/// What the record said of a file at the moment somebody went to look at it.
package struct JudgedFile: Sendable, Equatable {
  /// UUID of its root.
  package let root: String
  /// Its path below the root.
  package let path: String
  /// Bytes of the whole, where they were known.
  package let size: ByteCount?
  /// SHA-256 of the whole, where it was known.
  package let sha256: Digest?

  /// The file that a record speaks of; nil where it names none, or its part is in a state in which
  /// no file has to be there.
  package init?(_ part: MediaPart) {
    guard Self.expectsFile(part.state), let root = part.root, let path = part.path else {
      return nil
    }
    self.root = root
    self.path = path
    size = part.size
    sha256 = part.sha256
  }

  /// Whether a file is expected in a state, or known to be hurt.
  package static func expectsFile(_ state: PartState) -> Bool {
    switch state {
    case .ready, .missing, .damaged: true
    default: false
    }
  }
}

/// What a look at one file found.
package struct MediaFinding: Sendable, Equatable {
  /// What is said of the file.
  package enum Verdict: Sendable, Equatable {
    /// Its bytes are those of its digest; nothing less counts.
    case intact
    /// Nothing stands at its path, and its root is there.
    case missing
    /// Other bytes stand at its path, in these words.
    case damaged(String)
    /// Its bytes stand at another path below the same root.
    case moved(to: String)
  }

  /// The episode.
  package let episode: EpisodeID
  /// The name of the part.
  package let part: String
  /// What was looked at.
  package let judged: JudgedFile
  /// What was found.
  package let verdict: Verdict
  /// When.
  package let at: Timestamp

  /// A finding.
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
