import VmxJSON
package import VmxModel

extension StoreSnapshot {
  /// Calls the body with each episode that matches, in the order in which they were added, until
  /// the body returns false.
  ///
  /// Only lines that may match are decoded, on all cores; the body runs on the calling thread.
  ///
  /// - Parameter fields: the fields to decode of a match, beside those that the query compares; nil
  ///   for all.
  /// - Throws: the errors of the body.
  package func episodes(
    matching query: EpisodeQuery, decoding fields: EpisodeFields? = nil,
    _ body: (Episode) throws -> Bool
  ) throws {
    guard let image else { return }
    if query.ids.count == 1, let id = query.ids.first, availableIndex(of: image) == nil {
      let found = self.found(RecordKey(kind: .episode, id: id.description), RecordReader.episode)
      if let episode = found?.value, query.matches(episode) { _ = try body(episode) }
      return
    }
    let filter = RawFilter(query)
    let index = index(of: image, for: filter)
    let matcher = EpisodeMatcher(
      image: image, index: index, query: query, filter: filter, damage: damageMark,
      fields: fields.map { $0.union(query.fields()) })
    try matcher.forEach(indices(of: query, in: index, image)) { _, episode in try body(episode) }
  }

  /// Calls the body with each due episode that matches, and with its rank among all that are due,
  /// in the order of the queue, until the body returns false.
  ///
  /// - Throws: the errors of the body.
  package func queue(
    of due: DueRule, matching query: EpisodeQuery, _ body: (Int, Episode) throws -> Bool
  ) throws {
    guard let image else { return }
    let queue = queue(of: due, in: image)
    var query = query
    // These conditions hold for all due episodes.
    query.due = nil
    if query.wants.contains(.fetch) { query.wants = [] }
    let matcher = EpisodeMatcher(
      image: image, index: queue.index, query: query, filter: nil, damage: damageMark)
    let positions = ContiguousArray(queue.entries.map { UInt32($0.order.line) })
    try matcher.forEach(positions) { try body($0 + 1, $1) }
  }

  /// Returns the hashes of the ids of the due episodes, in the order of the queue.
  package func queueKeys(of due: DueRule) -> [UInt64] {
    image.map { queue(of: due, in: $0).entries.map(\.key) } ?? []
  }

  /// Returns the due episodes in the order of the queue. Decodes only the fields that determine
  /// whether and in which order they are due. `line` of each order is the position in the index.
  private func queue(
    of due: DueRule, in image: StoreImage
  ) -> (index: StoreIndex, entries: [(order: QueueOrder, key: UInt64)]) {
    var query = EpisodeQuery()
    query.wants = [.fetch]
    query.due = due
    let filter = RawFilter(query)
    let index = index(of: image, for: filter)
    let favourites = favouriteShows
    let matcher = EpisodeMatcher(
      image: image, index: index, query: query, filter: filter, damage: damageMark,
      fields: query.fields(with: [.priority, .place, .added]))
    let positions = indices(of: query, in: index, image)
    var entries: [(order: QueueOrder, key: UInt64)] = []
    matcher.forEach(positions) { number, episode in
      let isFavourite = favourites.contains(episode.id.show)
      let order = QueueOrder(of: episode, isFavourite: isFavourite, line: Int(positions[number]))
      entries.append((order, StableHash.of(episode.id.description)))
      return true
    }
    entries.sort { $0.order < $1.order }
    return (index, entries)
  }

  /// Returns a complete index if one exists already, else one of the episodes that may match.
  private func index(of image: StoreImage, for filter: RawFilter?) -> StoreIndex {
    guard let filter, !hasIndex(of: image) else { return index(of: image) }
    return sparseIndex(of: image, filter)
  }

  private func indices(
    of query: EpisodeQuery, in index: StoreIndex, _ image: StoreImage
  ) -> ContiguousArray<UInt32> {
    guard !query.ids.isEmpty else {
      return index.indices { entry in
        entry.marks.contains(.episode)
          && !entry.marks.isDisjoint(with: [.candidate, .hasEarlier])
      }
    }
    let parser = JSONParser()
    let positions = query.ids.compactMap { id in
      index.entryIndex(of: RecordKey(kind: .episode, id: id.description), in: image, parser)
    }
    return ContiguousArray(positions.filter { index[$0].isLive }.sorted().map { UInt32($0) })
  }
}

/// Decodes the lines of given places and returns the episodes that match a query.
private struct EpisodeMatcher: Sendable {
  let image: StoreImage
  let index: StoreIndex
  let query: EpisodeQuery
  let filter: RawFilter?
  let damage: DamageMark
  /// The fields that are decoded of each episode; nil to compare those of the query first, and then
  /// decode all.
  var fields: EpisodeFields?

  /// Calls the body with each matching episode and the number of its position, in the order of the
  /// places, until the body returns false.
  func forEach(
    _ positions: ContiguousArray<UInt32>, _ body: (Int, Episode) throws -> Bool
  ) rethrows {
    let pieceSize = positions.count < 2048 ? max(1, positions.count) : 512
    try OrderedWork.run(pieces: (positions.count + pieceSize - 1) / pieceSize) { number, parser in
      let range = number * pieceSize..<min(positions.count, (number + 1) * pieceSize)
      return matches(positions[range], parser)
    } take: { (found: [(Int, Episode)]) in
      for (number, episode) in found where try !body(number, episode) { return false }
      return true
    }
  }

  private func matches(
    _ positions: ContiguousArray<UInt32>.SubSequence, _ parser: JSONParser
  ) -> [(Int, Episode)] {
    let compared = query.isEmpty || fields != nil ? nil : query.fields()
    var episodes: [(Int, Episode)] = []
    for number in positions.indices {
      let entry = index[Int(positions[number])]
      if let episode = match(entry, fields: compared, parser: parser) {
        episodes.append((number, episode))
      }
    }
    return episodes
  }

  private func match(
    _ entry: IndexEntry, fields: EpisodeFields?, parser: JSONParser
  ) -> Episode? {
    // If an earlier line could replace a broken one, only decoding the whole line shows whether it
    // is current.
    let isAlone = !entry.marks.contains(.hasEarlier)
    let line = image.line(at: entry.offset)
    if isAlone, let filter, let start = LineStart(line), !filter.mayMatch(line, start) {
      return nil
    }
    if isAlone { return match(line, at: entry.offset, fields: fields, parser: parser) }
    let reader = RecordReader(image: image, parser: parser, damage: damage)
    guard let key = image.key(at: entry.offset, parser),
      let found = reader.read(
        key, at: entry.offset, hasEarlier: true,
        { RecordReader.episode($0, facts: $1, fields: self.fields ?? .all) }),
      query.matches(found.value)
    else { return nil }
    return found.value
  }

  /// Matches the only line of an episode, first by the fields that the query compares.
  private func match(
    _ line: UnsafeRawBufferPointer, at offset: Int, fields: EpisodeFields?, parser: JSONParser
  ) -> Episode? {
    var isBroken = true
    let episode = image.withTape(of: line, at: offset, parser) { tape -> Episode? in
      if query.due != nil, Self.isAtRest(tape) {
        isBroken = false
        return nil
      }
      if let fields, !query.comparesID {
        // The most frequent case: the line does not match, whatever its id is.
        guard let some = RecordReader.fields(fields, of: tape, EpisodeID.unknown, rev: 0) else {
          return nil
        }
        guard query.matches(some) else {
          isBroken = false
          return nil
        }
      }
      guard let facts = LineFacts(tape) else { return nil }
      let episode = RecordReader.episode(tape, facts: facts, fields: self.fields ?? .all)
      isBroken = episode == nil && !facts.deletes
      return episode.flatMap { query.matches($0) ? $0 : nil }
    }
    if isBroken { damage.set() }
    return episode
  }

  /// Whether no part of a record can be due. This holds for most records of a library, which are
  /// then not decoded.
  private static func isAtRest(_ tape: JSONTape) -> Bool {
    var isAtRest = false
    tape.field("parts")?.forEachElement { part in
      let state = part.field("state")?.string.flatMap { PartState(rawValue: $0) }
      isAtRest = state.map { !DueRule.mayBeDue($0) } ?? false
      return isAtRest
    }
    return isAtRest
  }
}

extension StoreSnapshot {
  /// The slugs of the favourite shows.
  package var favouriteShows: Set<String> {
    var shows: Set<String> = []
    records(of: .favourite) { record in
      shows.insert(record.id)
      return true
    }
    return shows
  }
}

/// A source of records: a snapshot of the store, or a transaction.
package protocol RecordLookup {
  /// Returns a record; nil if there is none.
  func record(_ kind: RecordKind, _ id: String) -> StoredRecord?
}

extension RecordLookup {
  /// Returns the folder of a root as recorded; nil if the library has no root with that UUID.
  package func rootFolder(_ uuid: String) -> String? { record(.root, uuid)?.path }
}

extension StoreSnapshot: RecordLookup {}

extension StoreTransaction: RecordLookup {}

/// A source of episodes: a snapshot of the store, or a transaction.
package protocol EpisodeLookup: RecordLookup {
  /// Returns the episode of an id or alias; nil if there is none.
  func episode(_ id: EpisodeID) throws(StoreError) -> Episode?
  /// Returns the ids of the episodes that have any of the identity keys, in no particular order.
  func find(_ evidence: [IdentityKey]) -> [EpisodeID]
}

extension StoreSnapshot: EpisodeLookup {}

extension StoreTransaction: EpisodeLookup {}

/// Makes a function that decides whether an episode is skipped. One function serves the episodes
/// that one thread reads together.
package typealias SkipFilter = @Sendable () -> (EpisodeSummary) -> Bool

extension StoreSnapshot {
  /// Calls the body with the summary of each episode, in the order in which they were added, until
  /// the body returns false. It is much cheaper than decoding the episodes.
  ///
  /// Lines are read on all cores; the body runs on the calling thread.
  ///
  /// - Parameters:
  ///   - fields: the fields to read.
  ///   - first: the number of episodes to skip at the start.
  ///   - skipFilter: skips episodes by their `paths`, before the other fields are read.
  /// - Throws: the errors of the body.
  package func summaries(
    _ fields: EpisodeFields = .files, from first: Int = 0, unless skipFilter: SkipFilter? = nil,
    _ body: (EpisodeSummary) throws -> Bool
  ) rethrows {
    guard let image else { return }
    let index = index(of: image)
    let positions = index.indices { $0.marks.contains(.episode) }.dropFirst(first)
    let size = 2048
    try OrderedWork.run(pieces: (positions.count + size - 1) / size) { number, parser in
      let reader = RecordReader(image: image, parser: parser)
      let isSkipped = skipFilter?()
      return positions.dropFirst(number * size).prefix(size).compactMap { position in
        let entry = index[Int(position)]
        if let isSkipped, let paths = reader.summary(at: entry, .paths), isSkipped(paths) {
          return nil
        }
        return reader.summary(at: entry, fields)
      }
    } take: { (summaries: [EpisodeSummary]) in
      for summary in summaries where try !body(summary) { return false }
      return true
    }
  }

  /// Returns the summary of one episode; nil if no episode has this id. Aliases are not followed.
  package func summary(of id: EpisodeID, _ fields: EpisodeFields = .files) -> EpisodeSummary? {
    found(RecordKey(kind: .episode, id: id.description)) { line, facts in
      RecordReader.episode(line, facts: facts, fields: fields)
    }.map { EpisodeSummary($0.value) }
  }
}

extension RecordReader {
  /// Reads some fields of the episode of an index entry; nil if the line is not of an episode.
  fileprivate func summary(at entry: IndexEntry, _ fields: EpisodeFields) -> EpisodeSummary? {
    func decode(_ line: JSONTape, _ facts: LineFacts) -> Episode? {
      Self.episode(line, facts: facts, fields: fields)
    }
    guard entry.marks.contains(.hasEarlier) else {
      let line = image.line(at: entry.offset)
      return image.withTape(of: line, at: entry.offset, parser) { line in
        LineFacts(line).flatMap { decode(line, $0) }
      }.map { EpisodeSummary($0) }
    }
    guard let key = image.key(at: entry.offset, parser) else { return nil }
    return read(key, at: entry.offset, hasEarlier: true, decode).map { EpisodeSummary($0.value) }
  }
}

extension StoreSnapshot {
  /// Returns the slugs of the shows that have this slug or whole title, case ignored.
  ///
  /// - Parameter isVisible: whether an episode of the show may be known to the user.
  /// - Throws: as `episodes(matching:)`.
  package func slugs(
    ofShow name: String, where isVisible: (Episode) -> Bool = { _ in true }
  ) throws -> [String] {
    var query = EpisodeQuery()
    query.shows = [name]
    var slugs: Set<String> = []
    try episodes(matching: query) { episode in
      if isVisible(episode) { slugs.insert(episode.id.show) }
      return true
    }
    return slugs.sorted()
  }
}
