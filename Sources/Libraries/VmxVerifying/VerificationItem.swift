package import VmxLibrary
package import VmxModel
package import VmxStore

/// One file to verify, as its record described it when the file was selected.
///
/// A class, because many instances are passed between threads.
package final class VerificationItem: Sendable {
  /// The id of the episode.
  package let id: EpisodeID
  /// The `seq` of the record.
  package let rev: Int64
  /// The part as the record describes it.
  package let part: Part
  /// The file that the record references.
  package let recordedFile: RecordedFile
  /// The input row that named the file; its unknown fields are copied to the output row.
  package let received: JSONObject?

  private init(
    id: EpisodeID, rev: Int64, part: Part, recordedFile: RecordedFile, received: JSONObject?
  ) {
    self.id = id
    self.rev = rev
    self.part = part
    self.recordedFile = recordedFile
    self.received = received
  }

  /// Returns the files of an episode that exist or should exist.
  ///
  /// - Parameter name: restricts the result to the part of this name.
  package static func all(
    of summary: EpisodeSummary, named name: String? = nil, received: JSONObject? = nil
  ) -> [VerificationItem] {
    summary.parts.compactMap { part in
      guard name == nil || part.name == name, let judged = RecordedFile(part) else { return nil }
      return VerificationItem(
        id: summary.id, rev: summary.rev, part: part, recordedFile: judged, received: received)
    }
  }

  /// Returns the finding for the record.
  func finding(_ verdict: MediaFinding.Verdict, at moment: Timestamp) -> MediaFinding {
    MediaFinding(of: part.name, in: id, recordedFile, verdict, at: moment)
  }
}

/// The files of a library in the order in which they are verified: files that were never verified,
/// then the others by ascending time of their last verification. Files recorded as missing or
/// damaged come last.
///
/// So runs with a budget reach every file of the library, however many files are damaged. The
/// memory use is 16 bytes per file, plus the id of each episode.
package struct VerificationOrder {
  private struct Entry {
    let time: Int64
    let episode: UInt32
    let part: UInt16
    let isDamaged: Bool

    func precedes(_ other: Entry) -> Bool {
      if isDamaged != other.isDamaged { return !isDamaged }
      return (time, episode, part) < (other.time, other.episode, other.part)
    }
  }

  private var ids = PackedTexts()
  private var entries: [Entry] = []

  /// Creates an empty list.
  package init() {}

  /// Adds the files of an episode.
  package mutating func add(_ summary: EpisodeSummary) {
    let files = VerificationItem.all(of: summary)
    guard !files.isEmpty else { return }
    let episode = UInt32(ids.count)
    ids.append(summary.id.description)
    for (index, part) in summary.parts.enumerated() {
      guard files.contains(where: { $0.part.name == part.name }) else { continue }
      entries.append(
        Entry(
          time: part.verifiedAt?.milliseconds ?? .min, episode: episode,
          part: UInt16(clamping: index), isDamaged: part.state != .ready))
    }
  }

  /// Calls the closure with each file, read from the snapshot that the files were added from, until
  /// it returns false.
  package func forEach(in snapshot: StoreSnapshot, _ body: (VerificationItem) -> Bool) {
    for entry in entries.sorted(by: { $0.precedes($1) }) {
      guard let id = EpisodeID(valid: ids[Int(entry.episode)]),
        let summary = snapshot.summary(of: id), summary.parts.indices.contains(Int(entry.part))
      else { continue }
      let name = summary.parts[Int(entry.part)].name
      for item in VerificationItem.all(of: summary, named: name) where !body(item) { return }
    }
  }
}

extension StoreSnapshot {
  /// Calls the closure with the summary of each episode that matches a query until it returns
  /// false.
  ///
  /// - Parameter skipFilter: skips the episodes for which a size check suffices, if the query
  ///   matches everything.
  /// - Throws: the errors of the closure and of the store.
  package func summaries(
    matching query: EpisodeQuery, through skipFilter: SkipFilter? = nil,
    _ body: (EpisodeSummary) throws -> Bool
  ) throws {
    guard !query.isEmpty else { return try summaries(unless: skipFilter, body) }
    try episodes(matching: query) { try body(EpisodeSummary($0)) }
  }

  /// Submits the files of the episodes that match a query. The files that were verified the longest
  /// ago are submitted first.
  ///
  /// - Parameters:
  ///   - isQuick: whether the order is irrelevant, since only existence and size are checked; then
  ///     files are submitted in batches.
  ///   - submit: returns false if it accepts no more.
  /// - Throws: the errors of the store.
  package func verificationItems(
    matching query: EpisodeQuery, isQuick: Bool, through skipFilter: SkipFilter?,
    _ submit: ([VerificationItem]) -> Bool
  ) throws {
    guard isQuick else {
      var order = VerificationOrder()
      try summaries(matching: query, through: nil) { summary in
        order.add(summary)
        return true
      }
      return order.forEach(in: self) { submit([$0]) }
    }
    let largestBatch = 256
    var batch: [VerificationItem] = []
    try summaries(matching: query, through: skipFilter) { summary in
      batch += VerificationItem.all(of: summary)
      guard batch.count >= largestBatch else { return true }
      defer { batch.removeAll(keepingCapacity: true) }
      return submit(batch)
    }
    if !batch.isEmpty { _ = submit(batch) }
  }
}
