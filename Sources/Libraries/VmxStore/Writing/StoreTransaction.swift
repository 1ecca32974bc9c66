package import VmxModel

// An update runs under the write lock, on the store as it is then. It must be quick: no claims, no
// network, no files of the library. Its lines are written with one call, and several lines take
// effect together or not at all.

/// A change of the store in progress. It reads current records and sees its own writes at once;
/// other readers see them after the update.
///
///     try store.update(.durable) { transaction in
///       guard var episode = try transaction.episode(id) else { return }
///       episode.isKept = true
///       transaction.write(episode)
///     }
package struct StoreTransaction {
  private enum Change {
    /// An episode, encoded only when the lines are written.
    indirect case episode(Episode)
    case fields(JSONObject)
    case delete

    var episode: Episode? {
      if case .episode(let episode) = self { return episode }
      return nil
    }
  }

  /// The time of the update, which its lines record.
  package let now: Timestamp
  /// Whether the age ratings of existing episodes may be changed: parental control does not apply.
  package internal(set) var allowsRatingChanges = true
  /// The backend from which the change comes; it is not notified of the change's steps.
  package var origin: OutboxBackend?
  let snapshot: StoreSnapshot
  private let firstSeq: Int64
  private var lines: [(key: RecordKey, change: Change)] = []
  private var lineIndices: [RecordKey: Int] = [:]
  /// The largest number of lines of an update that is a single operation rather than a bulk change.
  private static let maxSmallUpdate = 16
  /// The written episodes, if they are few, with the offsets of their lines in the encoded
  /// bytes.
  private(set) var episodes: [(offset: Int, episode: Episode)] = []
  /// The places of episodes by the identity keys that they had when written; a later write may have
  /// removed some.
  private var linesByIdentityKey: [IdentityKey: [Int]] = [:]
  /// The shows that were looked up for the episodes that were written, by their slugs.
  var shows: [String: KnownShow] = [:]
  /// The playbacks to report to the backends.
  private(set) var playbacks: [(episode: Episode, playback: Playback, only: OutboxBackend?)] = []

  init(on snapshot: StoreSnapshot, now: Timestamp, firstSeq: Int64) {
    self.snapshot = snapshot
    self.now = now
    self.firstSeq = firstSeq
  }

  /// Replaces the episode with the same id, or adds it.
  ///
  /// An episode equal to the stored one writes no line. The episode gets the title of its show, see
  /// `titled`.
  ///
  /// - Returns: the rev of the episode after the update.
  @discardableResult
  package mutating func write(_ episode: Episode) -> Int64 {
    let key = RecordKey(kind: .episode, id: episode.id.description)
    guard lineIndices[key] == nil, let stored = snapshot.stored(key.id) else {
      return stage(titled(episode), key)
    }
    // The stored title is that of the show already.
    let isTitled = stored.value.showTitle == episode.showTitle
    var episode = isTitled ? episode : titled(episode)
    guard !stored.isStale else { return stage(episode, key) }
    episode.rev = stored.value.rev
    return stored.value == episode ? episode.rev : stage(episode, key)
  }

  /// Adds an episode with an id that the caller knows to be unused.
  ///
  /// - Returns: the rev of the episode after the update.
  package mutating func add(_ episode: Episode) -> Int64 {
    stage(titled(episode), RecordKey(kind: .episode, id: episode.id.description))
  }

  private mutating func stage(_ episode: Episode, _ key: RecordKey) -> Int64 {
    let position = lineIndices[key] ?? lines.count
    var episode = episode
    episode.rev = firstSeq + Int64(position)
    for evidence in episode.identity where linesByIdentityKey[evidence]?.last != position {
      linesByIdentityKey[evidence, default: []].append(position)
    }
    return change(key, at: position, to: .episode(episode))
  }

  /// Replaces the record with the same kind and id, or adds it.
  ///
  /// A record whose fields equal the stored ones writes no line.
  ///
  /// - Returns: the sequence number of its line after the update.
  @discardableResult
  package mutating func write(_ record: StoredRecord) -> Int64 {
    let key = RecordKey(kind: record.kind, id: record.id)
    if record.kind == .show { shows[record.id] = nil }
    let fields = record.fields.without(StoredRecord.ownedByStore)
    if lineIndices[key] == nil, let stored = snapshot.found(key, RecordReader.record),
      !stored.isStale, stored.value.fields == fields
    {
      return stored.value.seq
    }
    return change(key, at: lineIndices[key] ?? lines.count, to: .fields(fields))
  }

  /// Removes a record; does nothing if there is none.
  package mutating func delete(_ kind: RecordKind, _ id: String) {
    guard record(kind, id) != nil else { return }
    let key = RecordKey(kind: kind, id: id)
    change(key, at: lineIndices[key] ?? lines.count, to: .delete)
  }

  /// Removes the record of an episode. Its feed then gets a new rev, so that a cached check of the
  /// feed is no evidence that its items are known.
  package mutating func forget(_ id: EpisodeID) {
    if let feed = record(.episode, id.description)?.fields["feed"]?.string,
      var stored = record(.feed, feed)
    {
      let before = stored.fields["changed"]?.string.flatMap { Timestamp($0) }
      let changed = before.map { max(now, $0.adding(milliseconds: 1)) } ?? now
      stored.fields["changed"] = .string(changed.text)
      write(stored)
    }
    delete(.episode, id.description)
  }

  /// Adds an alias from the old id of an episode to its current one.
  package mutating func writeAlias(_ old: EpisodeID, _ new: EpisodeID) {
    var fields = JSONObject()
    fields.append("to", new.description)
    write(StoredRecord(kind: .alias, id: old.description, fields: fields))
  }

  @discardableResult
  private mutating func change(_ key: RecordKey, at position: Int, to change: Change) -> Int64 {
    if position < lines.count {
      lines[position].change = change
    } else {
      lines.append((key, change))
      lineIndices[key] = position
    }
    return firstSeq + Int64(position)
  }
}

extension StoreTransaction {
  /// Returns the episode with an id, aliases followed; nil if there is none.
  ///
  /// - Throws: `StoreError.aliasLoop` if aliases form a cycle.
  package func episode(_ id: EpisodeID) throws(StoreError) -> Episode? {
    var current = id
    var met: Set<EpisodeID> = []
    while true {
      let text = current.description
      var next = StoreSnapshot.Step.nothing
      switch change(.episode, text) {
      case .episode(let episode)?: return episode
      case .fields?: return nil
      case .delete?: next = snapshot.alias(of: current)
      case nil: next = snapshot.step(current)
      }
      if case .episode(let found) = next { return found.value }
      switch change(.alias, text) {
      case .fields(let fields)?: next = .leading(to: fields)
      case .delete?: next = .nothing
      case .episode?, nil: break
      }
      guard case .alias(let target) = next else { return nil }
      guard met.insert(current).inserted else { throw .aliasLoop(id.description) }
      current = target
    }
  }

  /// Returns the current id of an episode, aliases followed; nil if there is no such episode.
  ///
  /// - Throws: `StoreError.aliasLoop` if aliases form a cycle.
  package func resolve(_ id: EpisodeID) throws(StoreError) -> EpisodeID? {
    try episode(id)?.id
  }

  /// Returns a record of any kind; nil if there is none.
  package func record(_ kind: RecordKind, _ id: String) -> StoredRecord? {
    switch change(kind, id) {
    case .episode(let episode)?: StoredRecord(kind: kind, id: id, fields: episode.record)
    case .fields(let fields)?: StoredRecord(kind: kind, id: id, fields: fields)
    case .delete?: nil
    case nil: snapshot.record(kind, id)
    }
  }

  /// Returns the records of a kind other than episodes, in the order in which they were first
  /// stored, but those that the transaction has changed last.
  package func records(of kind: RecordKind) -> [StoredRecord] {
    var records: [StoredRecord] = []
    snapshot.records(of: kind) { record in
      if change(kind, record.id) == nil { records.append(record) }
      return true
    }
    for case (let key, .fields(let fields)) in lines where key.kind == kind {
      records.append(StoredRecord(kind: kind, id: key.id, fields: fields))
    }
    return records
  }

  /// Returns the ids of the episodes that have any of the identity keys, in no particular order.
  package func find(_ evidence: [IdentityKey]) -> [EpisodeID] {
    let stored = snapshot.find(evidence).filter { change(.episode, $0.description) == nil }
    var positions: Set<Int> = []
    for evidence in evidence { positions.formUnion(linesByIdentityKey[evidence] ?? []) }
    guard !positions.isEmpty else { return stored }
    let changed = positions.sorted().compactMap { lines[$0].change.episode }.filter { episode in
      episode.identity.contains { evidence.contains($0) }
    }
    return stored + changed.map(\.id)
  }

  /// The ids of the episodes that the transaction has written, in the order of their lines.
  var writtenEpisodes: [EpisodeID] { lines.compactMap { $0.change.episode?.id } }

  private func change(_ kind: RecordKind, _ id: String) -> Change? {
    lineIndices[RecordKey(kind: kind, id: id)].map { lines[$0].change }
  }

  /// Records a playback, which is reported to the backends of the episode.
  ///
  /// - Parameter backend: the only backend that is notified; nil for all.
  package mutating func recordEvent(
    of playback: Playback, of episode: Episode, for backend: OutboxBackend? = nil
  ) {
    playbacks.append((episode, playback, backend))
  }

  /// Adds a record with an unused id.
  mutating func add(_ record: StoredRecord) {
    change(RecordKey(kind: record.kind, id: record.id), at: lines.count, to: .fields(record.fields))
  }

  /// Returns the changed episodes with their previous and new records. A removed episode has no new
  /// record. The previous record of a renamed episode is the one under its old id.
  func changedEpisodes() -> [(before: Episode?, after: Episode?)] {
    var oldIDs: [String: String] = [:]
    for case (let key, .fields(let fields)) in lines where key.kind == .alias {
      if let target = fields["to"]?.string { oldIDs[target] = key.id }
    }
    let renamed = Set(oldIDs.values)
    return lines.compactMap { key, change in
      guard key.kind == .episode else { return nil }
      if let episode = change.episode {
        let stored = snapshot.stored(key.id) ?? oldIDs[key.id].flatMap { snapshot.stored($0) }
        return (stored?.value, episode)
      }
      guard case .delete = change, !renamed.contains(key.id) else { return nil }
      return (snapshot.stored(key.id)?.value, nil)
    }
  }

  /// Encodes the lines to append; empty if nothing changes.
  ///
  /// - Throws: `StoreError.tooLong`.
  mutating func encode() throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    let at = now.text
    let transaction = lines.count > 1 ? Hex.text(of: .random(in: UInt64.min ... .max)) : nil
    for (position, line) in lines.enumerated() {
      let start = bytes.count
      var marks = LineWriter.Marks(transaction: transaction)
      marks.commits = transaction != nil && position == lines.count - 1
      if case .delete = line.change { marks.deletes = true }
      LineWriter.appendStart(
        line.key, seq: firstSeq + Int64(position), at: at, marks: marks, to: &bytes)
      switch line.change {
      case .episode(let episode):
        episode.appendRecord(to: &bytes)
        if lines.count <= Self.maxSmallUpdate { episodes.append((start, episode)) }
      case .fields(let fields): LineWriter.append(fields, to: &bytes)
      case .delete: break
      }
      LineWriter.appendEnd(to: &bytes)
      guard bytes.count - start - 1 <= LineWriter.maxLineLength else {
        throw .tooLong(line.key.id, bytes: bytes.count - start - 1)
      }
    }
    return bytes
  }

  /// The number of lines.
  var lineCount: Int { lines.count }
}

extension StoreTransaction {
  /// Writes an episode, and returns it with its new `rev`.
  ///
  /// - Parameter isNew: whether the caller knows the id to be unused.
  package mutating func recorded(_ episode: Episode, isNew: Bool = false) -> Episode {
    var episode = titled(episode)
    episode.rev = isNew ? add(episode) : write(episode)
    return episode
  }
}
