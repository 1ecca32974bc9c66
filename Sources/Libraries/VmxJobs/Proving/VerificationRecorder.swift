package import VmxModel
package import VmxStore

// Between a look at a file and its record others may have fetched, moved or removed it. So a
// finding counts only for the record that was judged: the same root, path, size and digest, and a
// state in which a file is expected. What the person wants is never touched.

/// Records what somebody who looked at files found.
package struct VerificationRecorder: Sendable {
  /// Findings that are recorded in one step at most.
  package static let largestBatch = 1000

  /// What became of a finding.
  package enum Recorded: Sendable, Equatable {
    /// The record says so now.
    case changed(Episode)
    /// The record said so before, but for the moment of the proof.
    case unchanged(Episode)
    /// The record speaks of another file by now, or there is none: the finding says nothing.
    case outdated
  }

  private let store: LibraryStore

  /// A desk of a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Records findings in their order, so many in one step that the lock is held but a moment;
  /// several of one episode belong together.
  ///
  /// A changed state or path is durable on return; that a file was proven once more is not, since
  /// it can be proven again. To record a finding twice does no harm.
  ///
  /// - Returns: what became of each.
  /// - Throws: what the store throws; the findings of earlier steps are then recorded.
  package func record(_ findings: [MediaFinding]) throws -> [Recorded] {
    var outcomes: [Recorded] = []
    for start in stride(from: 0, to: findings.count, by: Self.largestBatch) {
      outcomes += try recordAtOnce(findings[start...].prefix(Self.largestBatch))
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
      JudgedFile(MediaPart(episode.parts[index])) == finding.judged
    else { return .outdated }
    let before = episode.parts[index]
    if let step = episode.parts[index].take(finding) { episode.remember(step) }
    let part = episode.parts[index]
    let recorded = transaction.recorded(episode)
    let isChanged = part.state != before.state || part.path != before.path
    isNews = isNews || isChanged
    return isChanged ? .changed(recorded) : .unchanged(recorded)
  }
}

extension Part {
  /// Takes a finding over; the step that it makes, where it leads to another state.
  fileprivate mutating func take(_ finding: MediaFinding) -> Transition? {
    let before = state
    switch finding.verdict {
    case .intact:
      enter(.ready)
      proven = max(proven ?? finding.at, finding.at)
    case .moved(let path):
      enter(.ready)
      self.path = path
      proven = max(proven ?? finding.at, finding.at)
    case .missing:
      enter(.missing)
      code = .fileMissing
    case .damaged(let words):
      enter(.damaged)
      code = .fileDamaged
      message = words
    }
    guard state != before else { return nil }
    return Transition(at: finding.at, part: name, from: before, to: state, code: code)
  }
}
