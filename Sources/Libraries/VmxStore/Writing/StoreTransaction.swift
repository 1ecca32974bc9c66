package import VmxModel

// An update runs under the write lock, on the store as it is at that moment. It must be quick:
// no claims, no network, no files of the library. Its lines are written with one call, and where
// there are several they count together or not at all.

/// A change of the store in the making: what it reads is fresh, what it puts is seen by itself at
/// once and by others when the update is over.
package struct StoreTransaction {
  private enum Change {
    /// Becomes text when the lines are written, and nothing before.
    indirect case episode(Episode)
    case fields(JSONObject)
    case delete

    var episode: Episode? {
      if case .episode(let episode) = self { return episode }
      return nil
    }
  }

  /// The moment of the update, as its lines will say.
  package let now: Timestamp
  let snapshot: StoreSnapshot
  private let firstSeq: Int64
  private var lines: [(key: RecordKey, change: Change)] = []
  private var places: [RecordKey: Int] = [:]
  /// Lines of an update that is one step of some work, and no bulk.
  private static let few = 16
  /// The episodes that were put, where they are few, by the offsets of their lines among those
  /// encoded.
  private(set) var episodes: [(offset: Int, episode: Episode)] = []
  /// Places of the episodes put so far by what they were put with; later puts may have less.
  private var placesByEvidence: [IdentityKey: [Int]] = [:]

  init(on snapshot: StoreSnapshot, now: Timestamp, firstSeq: Int64) {
    self.snapshot = snapshot
    self.now = now
    self.firstSeq = firstSeq
  }

  /// Puts an episode in the place of the one with its id, or adds it.
  ///
  /// An episode equal to what is stored makes no line.
  ///
  /// - Returns: the rev it has after the update.
  @discardableResult
  package mutating func put(_ episode: Episode) -> Int64 {
    let key = RecordKey(kind: .episode, id: episode.id.description)
    if places[key] == nil, let stored = snapshot.stored(key.id), !stored.isStale {
      var episode = episode
      episode.rev = stored.value.rev
      if stored.value == episode { return episode.rev }
    }
    return enter(episode, key)
  }

  /// Adds an episode with an id that is known to be nobody's.
  ///
  /// - Returns: the rev it has after the update.
  package mutating func add(_ episode: Episode) -> Int64 {
    enter(episode, RecordKey(kind: .episode, id: episode.id.description))
  }

  private mutating func enter(_ episode: Episode, _ key: RecordKey) -> Int64 {
    let place = places[key] ?? lines.count
    var episode = episode
    episode.rev = firstSeq + Int64(place)
    for evidence in episode.identity where placesByEvidence[evidence]?.last != place {
      placesByEvidence[evidence, default: []].append(place)
    }
    return change(key, at: place, to: .episode(episode))
  }

  /// Puts a record of any kind in the place of the one with its kind and id, or adds it.
  ///
  /// A record whose fields equal what is stored makes no line.
  ///
  /// - Returns: the number of its line after the update.
  @discardableResult
  package mutating func put(_ record: StoredRecord) -> Int64 {
    let key = RecordKey(kind: record.kind, id: record.id)
    let fields = record.fields.without(StoredRecord.ownedByStore)
    if places[key] == nil, let stored = snapshot.found(key, RecordReader.record),
      !stored.isStale, stored.value.fields == fields
    {
      return stored.value.seq
    }
    return change(key, at: places[key] ?? lines.count, to: .fields(fields))
  }

  /// Removes a record; nothing happens if there is none.
  package mutating func delete(_ kind: RecordKind, _ id: String) {
    guard record(kind, id) != nil else { return }
    let key = RecordKey(kind: kind, id: id)
    change(key, at: places[key] ?? lines.count, to: .delete)
  }

  /// Lets an id that an episode had lead to the one that it has now.
  package mutating func putAlias(_ old: EpisodeID, _ new: EpisodeID) {
    var fields = JSONObject()
    fields.append("to", new.description)
    put(StoredRecord(kind: .alias, id: old.description, fields: fields))
  }

  @discardableResult
  private mutating func change(_ key: RecordKey, at place: Int, to change: Change) -> Int64 {
    if place < lines.count {
      lines[place].change = change
    } else {
      lines.append((key, change))
      places[key] = place
    }
    return firstSeq + Int64(place)
  }
}

extension StoreTransaction {
  /// The episode of an id, or of the id that an alias leads to; nil if there is none.
  ///
  /// - Throws: `StoreError.aliasLoop` if aliases lead in a circle.
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

  /// The id that an episode has now, aliases followed; nil if there is no such episode.
  ///
  /// - Throws: `StoreError.aliasLoop` if aliases lead in a circle.
  package func resolve(_ id: EpisodeID) throws(StoreError) -> EpisodeID? {
    try episode(id)?.id
  }

  /// A record of any kind; nil if there is none.
  package func record(_ kind: RecordKind, _ id: String) -> StoredRecord? {
    switch change(kind, id) {
    case .episode(let episode)?: StoredRecord(kind: kind, id: id, fields: episode.record)
    case .fields(let fields)?: StoredRecord(kind: kind, id: id, fields: fields)
    case .delete?: nil
    case nil: snapshot.record(kind, id)
    }
  }

  /// The ids of the episodes that hold any of the evidence, in no particular order.
  package func find(_ evidence: [IdentityKey]) -> [EpisodeID] {
    let stored = snapshot.find(evidence).filter { change(.episode, $0.description) == nil }
    var places: Set<Int> = []
    for evidence in evidence { places.formUnion(placesByEvidence[evidence] ?? []) }
    guard !places.isEmpty else { return stored }
    let changed = places.sorted().compactMap { lines[$0].change.episode }.filter { episode in
      episode.identity.contains { evidence.contains($0) }
    }
    return stored + changed.map(\.id)
  }

  private func change(_ kind: RecordKind, _ id: String) -> Change? {
    places[RecordKey(kind: kind, id: id)].map { lines[$0].change }
  }

  /// The lines, as they are to be appended; empty if nothing changes.
  ///
  /// - Throws: `StoreError.tooLong`.
  mutating func encode() throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    let at = now.text
    let transaction = lines.count > 1 ? Hex.text(of: .random(in: UInt64.min ... .max)) : nil
    for (place, line) in lines.enumerated() {
      let start = bytes.count
      var marks = LineWriter.Marks(transaction: transaction)
      marks.commits = transaction != nil && place == lines.count - 1
      if case .delete = line.change { marks.deletes = true }
      LineWriter.appendStart(
        line.key, seq: firstSeq + Int64(place), at: at, marks: marks, to: &bytes)
      switch line.change {
      case .episode(let episode):
        episode.appendRecord(to: &bytes)
        if lines.count <= Self.few { episodes.append((start, episode)) }
      case .fields(let fields): LineWriter.append(fields, to: &bytes)
      case .delete: break
      }
      LineWriter.appendEnd(to: &bytes)
      guard bytes.count - start - 1 <= LineWriter.longest else {
        throw .tooLong(line.key.id, bytes: bytes.count - start - 1)
      }
    }
    return bytes
  }

  /// How many lines there are.
  var lineCount: Int { lines.count }
}
