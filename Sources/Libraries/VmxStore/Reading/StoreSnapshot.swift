import VmxJSON
package import VmxModel
import VmxSystem

// A reader takes no lock: it reads the size of the store once and never reads beyond it. It sees
// the store as it was then, whatever other processes write, compact or replace later.

/// The library as it was at one moment.
package final class StoreSnapshot: Sendable {
  /// The image of the store; nil if there is no store.
  let image: StoreImage?
  let cache: IndexCache
  /// Set when a line cannot be read.
  let damageMark = DamageMark()
  private let own = Monitor(Own())

  private struct Own {
    var index: StoreIndex?
    /// An index of all records except episodes.
    var sparse: StoreIndex?
    var lookups = 0
  }

  /// The number of look-ups that do without an index.
  private static let indexThreshold = 10

  init(_ image: StoreImage?, cache: IndexCache) {
    self.image = image
    self.cache = cache
  }

  /// Whether another snapshot shows the same lines of the same file.
  func isSame(as other: StoreSnapshot) -> Bool {
    switch (image, other.image) {
    case (nil, nil): true
    case (let one?, let two?): one.file.isSame(as: two.file) && one.bound == two.bound
    default: false
    }
  }

  /// The header of the store; nil if there is no store or its header is broken.
  package var header: StoreHeader? { image?.file.header }

  /// Whether there is any record of an episode.
  package var hasEpisodes: Bool {
    var isFound = false
    summaries(EpisodeFields([])) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Returns a record of any kind; nil if there is none or it was removed. The record of a root has
  /// the root's current path.
  package func record(_ kind: RecordKind, _ id: String) -> StoredRecord? {
    let found = found(RecordKey(kind: kind, id: id), RecordReader.record)
    return found.map { cache.locator.located($0.value) }
  }

  /// Returns the recorded folder of a root, which may be another one than its present folder.
  package func recordedFolder(ofRoot uuid: String) -> String? {
    found(RecordKey(kind: .root, id: uuid), RecordReader.record)?.value.path
  }

  /// Calls the body with each record of a kind other than episodes, until the body returns false.
  /// The records are in the order in which they were first stored.
  ///
  /// - Parameter text: a string without quotes and escapes. Records in which no string equals it
  ///   may be skipped, and so may records whose last line is damaged.
  package func records(
    of kind: RecordKind, holding text: String? = nil, _ body: (StoredRecord) throws -> Bool
  ) rethrows {
    guard let image else { return }
    let index = index(of: image)
    let quoted = text.map { Array("\"\($0)\"".utf8) }
    try records(at: index.indices(of: kind), in: image, index) { record in
      try record.kind == kind ? body(record) : true
    } where: { offset in
      quoted.map { Self.mayContain($0, image.line(at: offset)) } ?? true
    }
  }

  /// Calls the body with each record that is not an episode, of any kind including unknown ones, in
  /// the order in which they were first stored.
  package func otherRecords(_ body: (StoredRecord) throws -> Void) rethrows {
    guard let image else { return }
    let index = index(of: image)
    try records(at: index.placesOfOthers, in: image, index) { record in
      if record.kind != .header { try body(record) }
      return true
    } where: { _ in
      true
    }
  }

  private func records(
    at positions: [UInt32], in image: StoreImage, _ index: StoreIndex,
    _ body: (StoredRecord) throws -> Bool, where isWanted: (Int) -> Bool
  ) rethrows {
    let reader = RecordReader(image: image, parser: JSONParser(), damage: damageMark)
    for position in positions {
      let entry = index[Int(position)]
      guard isWanted(entry.offset), let key = image.key(at: entry.offset, reader.parser),
        let record = reader.read(
          key, at: entry.offset, hasEarlier: entry.marks.contains(.hasEarlier),
          RecordReader.record)
      else { continue }
      if try !body(cache.locator.located(record.value)) { return }
    }
  }

  /// Whether a line may contain a quoted string; escapes may hide it.
  private static func mayContain(_ quoted: [UInt8], _ line: UnsafeRawBufferPointer) -> Bool {
    ByteSearch.offset(of: quoted, in: line) != nil
      || ByteSearch.offset(of: [UInt8(ascii: "\\")], in: line) != nil
  }

  /// Returns an index of the whole image.
  func index(of image: StoreImage) -> StoreIndex {
    own.withLock { own in
      if let index = own.index { return index }
      let index = cache.index(of: image, always: true) ?? StoreIndex()
      own.index = index
      return index
    }
  }

  /// Builds an index of the episodes that a filter accepts and of all other records.
  func sparseIndex(of image: StoreImage, _ filter: RawFilter) -> StoreIndex {
    let index = StoreIndex.sparse(of: image, filter)
    own.withLock { $0.sparse = index }
    return index
  }

  /// Returns an index if one exists already, or if the number of look-ups makes building one
  /// worthwhile.
  ///
  /// - Parameter kind: the kind of the record that is looked up.
  func availableIndex(of image: StoreImage, for kind: RecordKind = .episode) -> StoreIndex? {
    own.withLock { own in
      if let index = own.index ?? (kind == .episode ? nil : own.sparse) { return index }
      own.lookups += 1
      let isFirst = own.lookups == 1
      guard isFirst || own.lookups > Self.indexThreshold else { return nil }
      own.index = cache.index(of: image, always: !isFirst)
      return own.index
    }
  }

  /// The code of the damage found in what this snapshot has read so far; nil if there is none.
  package var damageMet: ErrorCode? {
    guard let image, image.size > 0 else { return nil }
    if image.file.header == nil { return .storeDamaged }
    if damageMark.isSet { return .lineDamaged }
    return own.withLock { own in
      let hasBroken = [own.index, own.sparse].contains { $0?.broken.isEmpty == false }
      return hasBroken ? .lineDamaged : nil
    }
  }

  /// Whether an index exists already; builds none.
  func hasIndex(of image: StoreImage) -> Bool {
    own.withLock { $0.index != nil } || cache.hasIndex(of: image)
  }

  /// The location of the last line of a record.
  private enum Location {
    /// Its entry, and the broken lines that may belong to any record.
    case line(IndexEntry, broken: [DamagedLine])
    /// There is no such record, or it was removed.
    case nothing
    /// No index is worth building; the lines must be scanned.
    case unknown
  }

  private func location(of key: RecordKey, in image: StoreImage) -> Location {
    // The shared index serves until this snapshot has its own.
    if own.withLock({ $0.index == nil }), let look = cache.lookUp(for: key, in: image, JSONParser())
    {
      guard case .line(let entry) = look else { return .nothing }
      return .line(entry, broken: [])
    }
    guard let index = availableIndex(of: image, for: key.kind) else { return .unknown }
    guard let position = index.entryIndex(of: key, in: image, JSONParser()), index[position].isLive
    else {
      return .nothing
    }
    return .line(index[position], broken: index.broken)
  }

  /// Returns a record, and whether its last line is broken.
  func found<Value>(
    _ key: RecordKey, _ decode: (JSONTape, LineFacts) -> Value?
  ) -> RecordReader.Found<Value>? {
    guard let image else { return nil }
    return found(key, at: location(of: key, in: image), in: image, decode)
  }

  private func found<Value>(
    _ key: RecordKey, at location: Location, in image: StoreImage,
    _ decode: (JSONTape, LineFacts) -> Value?
  ) -> RecordReader.Found<Value>? {
    let reader = RecordReader(image: image, parser: JSONParser(), cache: cache, damage: damageMark)
    switch location {
    case .nothing: return nil
    case .unknown: return reader.last(key, before: image.bound, decode)
    case .line(let entry, let broken):
      var found = reader.read(
        key, at: entry.offset, hasEarlier: entry.marks.contains(.hasEarlier), decode)
      for line in broken where line.offset > entry.offset {
        if DamagedLine.names(key.id, image.line(at: line.offset)) { found?.isStale = true }
      }
      return found
    }
  }
}

extension StoreSnapshot {
  /// Returns the episode with an id, aliases followed; nil if there is none.
  ///
  /// - Throws: `StoreError.aliasLoop` if aliases form a cycle.
  package func episode(_ id: EpisodeID) throws(StoreError) -> Episode? {
    try located(id)?.value
  }

  /// Returns the first of the episodes with these ids that other episodes must wait for; nil if
  /// there is none. An id whose aliases form a cycle has no episode.
  package func predecessor(among ids: [EpisodeID]) -> EpisodeID? {
    for id in ids {
      do throws(StoreError) {
        if let other = try episode(id), other.blocksDependents { return other.id }
      } catch {
        // A cycle of aliases contains no episode that could become ready.
      }
    }
    return nil
  }

  /// Returns the current id of an episode, aliases followed; nil if there is no such episode.
  ///
  /// - Throws: `StoreError.aliasLoop` if aliases form a cycle.
  package func resolve(_ id: EpisodeID) throws(StoreError) -> EpisodeID? {
    try episode(id)?.id
  }

  private func located(_ id: EpisodeID) throws(StoreError) -> RecordReader.Found<Episode>? {
    var current = id
    var met: Set<EpisodeID> = []
    // A chain of renames may have any length, so only an id that appears again proves a cycle.
    while met.insert(current).inserted {
      switch step(current) {
      case .episode(let found): return found
      case .alias(let next): current = next
      case .nothing: return nil
      }
    }
    throw .aliasLoop(id.description)
  }

  /// The result of looking up an id, one alias at a time.
  enum Step {
    case episode(RecordReader.Found<Episode>)
    case alias(EpisodeID)
    case nothing

    /// Reads the target of an alias from its fields.
    static func leading(to fields: JSONObject?) -> Step {
      let target = fields?["to"]?.string.flatMap { EpisodeID(valid: $0) }
      return target.map { .alias($0) } ?? .nothing
    }
  }

  /// Returns the alias of an id, ignoring any episode with that id.
  func alias(of id: EpisodeID) -> Step {
    .leading(to: record(.alias, id.description)?.fields)
  }

  /// Returns the episode with an id, else the alias with it.
  func step(_ id: EpisodeID) -> Step {
    guard let image else { return .nothing }
    let key = RecordKey(kind: .episode, id: id.description)
    let location = location(of: key, in: image)
    if case .unknown = location { return walk(id, image) }
    return episode(key, at: location, in: image).map { .episode($0) } ?? alias(of: id)
  }

  /// Returns the episode with an id, aliases not followed.
  func stored(_ id: String) -> RecordReader.Found<Episode>? {
    guard let image else { return nil }
    let key = RecordKey(kind: .episode, id: id)
    return episode(key, at: location(of: key, in: image), in: image)
  }

  /// Returns the cached episode if its last line is the one that was decoded or appended last; else
  /// decodes it.
  private func episode(
    _ key: RecordKey, at location: Location, in image: StoreImage
  ) -> RecordReader.Found<Episode>? {
    guard case .line(let entry, let broken) = location, broken.isEmpty else {
      return found(key, at: location, in: image, RecordReader.episode)
    }
    if let episode = cache.decoded(key.id, at: entry.offset, of: image) {
      return RecordReader.Found(value: episode, isStale: false)
    }
    let found = found(key, at: location, in: image, RecordReader.episode)
    if let found, !found.isStale {
      cache.store(found.value, key.id, at: entry.offset, of: image)
    }
    return found
  }

  /// Searches for the episode and the alias in one pass over the bytes.
  private func walk(_ id: EpisodeID, _ image: StoreImage) -> Step {
    let reader = RecordReader(image: image, parser: JSONParser(), damage: damageMark)
    let text = id.description
    var episode: RecordReader.Found<Episode>?
    var alias: StoredRecord?
    var seenEpisode = false
    var seenAlias = false
    var isStale = false
    let lines = LineWalk(image: image, parser: reader.parser, cache: cache)
    lines.visit(text, before: image.bound) { hit in
      if hit.kind == nil {
        isStale = isStale || !seenEpisode
      } else if hit.kind == .episode, !seenEpisode {
        seenEpisode = true
        episode = reader.read(
          RecordKey(kind: .episode, id: text), at: hit.offset, hasEarlier: true,
          RecordReader.episode)
      } else if hit.kind == .alias, !seenAlias {
        seenAlias = true
        alias =
          reader.read(
            RecordKey(kind: .alias, id: text), at: hit.offset, hasEarlier: true,
            RecordReader.record)?.value
      }
      // A live episode takes precedence; an earlier line may be an alias of a removed one.
      return episode == nil && !(seenEpisode && seenAlias)
    }
    if var episode {
      episode.isStale = episode.isStale || isStale
      return .episode(episode)
    }
    return .leading(to: alias?.fields)
  }
}
