package import VmxModel
package import VmxStore

// Between the verification of a file and its record, another process may have fetched, moved or
// removed the file. So a finding counts only if the record still has the same root, path, size and
// digest, in a state that expects a file. The want of the episode is never changed.

/// Records the results of file verifications.
package struct VerificationRecorder: Sendable {
  /// The maximum number of findings recorded in one transaction.
  package static let maxBatchSize = 1000

  /// The effect of a finding.
  package enum Recorded: Sendable, Equatable {
    /// The record was changed.
    case changed(Episode)
    /// The record had that content already, except for the time of the verification.
    case unchanged(Episode)
    /// The record names another file by now, or none: the finding is discarded.
    case outdated
  }

  private let store: LibraryStore

  /// Creates a recorder for a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Records findings in their order, in batches, so that each transaction holds the lock only
  /// briefly. All findings of one episode belong in one call.
  ///
  /// A changed state or path is durable on return. The time of a verification is not, since the
  /// file can be verified again. Recording a finding twice is harmless.
  ///
  /// - Returns: the effect of each finding.
  /// - Throws: errors of the store; the findings of earlier batches are then recorded.
  package func record(_ findings: [MediaFinding]) throws -> [Recorded] {
    var outcomes: [Recorded] = []
    for start in stride(from: 0, to: findings.count, by: Self.maxBatchSize) {
      outcomes += try recordAtOnce(findings[start...].prefix(Self.maxBatchSize))
    }
    return outcomes
  }

  private func recordAtOnce(_ findings: ArraySlice<MediaFinding>) throws -> [Recorded] {
    try store.prepare(findings.map(\.episode))
    let (outcomes, isNews) = try store.update(.soon) { transaction in
      var isNews = false
      let outcomes = try findings.map { finding throws(StoreError) in
        try Self.record(finding, in: &transaction, &isNews)
      }
      return (outcomes, isNews)
    }
    if isNews { try store.flush() }
    return outcomes
  }

  private static func record(
    _ finding: MediaFinding, in transaction: inout StoreTransaction, _ isNews: inout Bool
  ) throws(StoreError) -> Recorded {
    guard var episode = try transaction.episode(finding.episode),
      let index = episode.parts.firstIndex(where: { $0.name == finding.part }),
      RecordedFile(episode.parts[index]) == finding.recordedFile
    else { return .outdated }
    let before = episode.parts[index]
    if let step = episode.parts[index].apply(finding) { episode.appendTransition(step) }
    // Records of earlier versions lack the key.
    episode.addIdentityOfBytes()
    let part = episode.parts[index]
    let recorded = transaction.recorded(episode)
    let isChanged =
      part.state != before.state || part.path != before.path || part.root != before.root
    isNews = isNews || isChanged
    return isChanged ? .changed(recorded) : .unchanged(recorded)
  }
}

extension Part {
  /// Applies a finding, and returns the transition if it changes the state.
  fileprivate mutating func apply(_ finding: MediaFinding) -> Transition? {
    let before = state
    // Nothing is new: the part keeps the state of its next fetch.
    if finding.verdict == .missing, isMissing { return nil }
    repairs = nil
    switch finding.verdict {
    case .intact:
      enter(.ready)
      verifiedAt = max(verifiedAt ?? finding.at, finding.at)
    case .moved(let path):
      enter(.ready)
      self.path = path
      root = finding.foundRoot ?? root
      verifiedAt = max(verifiedAt ?? finding.at, finding.at)
    case .missing:
      enter(.missing)
      code = .fileMissing
    case .damaged(let words):
      enter(.damaged)
      code = .fileDamaged
      message = words
    case .broken(let words):
      enter(.damaged)
      code = .mediaBroken
      message = words
    }
    guard state != before else { return nil }
    return Transition(at: finding.at, part: name, from: before, to: state, code: code)
  }
}

/// The recorded facts about a file at the moment when its verification began.
package struct RecordedFile: Sendable, Equatable {
  /// The UUID of its root.
  package let root: String
  /// Its path below the root.
  package let path: String
  /// The size of the whole file in bytes, if it was known.
  package let size: ByteCount?
  /// The SHA-256 of the whole file, if it was known.
  package let sha256: Digest?

  /// Creates it from a recorded part. Nil if the record names no file, or if no file is expected in
  /// the part's state.
  package init?(_ part: Part) {
    guard Self.expectsFile(part), let root = part.root, let path = part.path else {
      return nil
    }
    self.root = root
    self.path = path
    size = part.size
    sha256 = part.sha256
  }

  /// Whether a file of the part is expected, or known to be damaged or missing.
  package static func expectsFile(_ part: Part) -> Bool {
    part.state == .ready || part.isToBeRepaired
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
    /// The structure of the file is broken, whether or not its bytes match a digest.
    case broken(String)
    /// A file at another path has its bytes, below the same root unless `foundRoot` names another.
    case moved(to: String)
  }

  /// The episode.
  package let episode: EpisodeID
  /// The name of the part.
  package let part: String
  /// The file as it was recorded when the verification began.
  package let recordedFile: RecordedFile
  /// The verdict.
  package let verdict: Verdict
  /// The time of the verification.
  package let at: Timestamp
  /// The UUID of the root in which a moved file was found; nil for the recorded root.
  package let foundRoot: String?

  /// Creates a finding.
  package init(
    of part: String, in episode: EpisodeID, _ recordedFile: RecordedFile, _ verdict: Verdict,
    at: Timestamp, inRoot foundRoot: String? = nil
  ) {
    self.foundRoot = foundRoot
    self.episode = episode
    self.part = part
    self.recordedFile = recordedFile
    self.verdict = verdict
    self.at = at
  }
}
