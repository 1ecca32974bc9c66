import VmxJSON
package import VmxModel

// Following costs what is new, not what is there: a look stats the path and the open file, and
// reads from the end of the last look up to the new bound, which lies after a newline and before
// the lines of an unfinished transaction. Only where another file has taken the store's place
// (compaction, a copy put back, the store made or gone) both files are compared record by record,
// once; so whoever follows is told of each change and of nothing that is no change.

/// What has become of one record of the store.
package struct StoreChange: Sendable, Equatable {
  /// What the record is now.
  package enum Content: Sendable, Equatable {
    /// An episode as its line tells it.
    case episode(Episode)
    /// A record of another kind.
    case record(StoredRecord)
    /// It is there no longer.
    case removed
  }

  /// The kind of the record.
  package let kind: RecordKind
  /// Its id.
  package let id: String
  /// When its line was written; nil where no line tells.
  package let at: Timestamp?
  /// What it is now.
  package let content: Content
}

extension StoreChange {
  /// What a line says; nil if it is damaged in its meaning, so that the line before it counts.
  init?(_ line: JSONTape, _ facts: LineFacts) {
    let content: Content? =
      if facts.deletes {
        .removed
      } else if facts.key.kind == .episode {
        RecordReader.episode(line, facts).map { .episode($0) }
      } else {
        RecordReader.record(line, facts).map { .record($0) }
      }
    guard let content else { return nil }
    self.init(kind: facts.key.kind, id: facts.key.id, at: facts.at, content: content)
  }
}

/// Follows a store: each look tells what was written since the one before, in the order of the
/// lines.
///
/// It belongs to one thread, takes no lock and creates nothing.
package final class StoreFollower {
  /// The library as it was at the last look.
  package private(set) var snapshot: StoreSnapshot
  private let store: LibraryStore
  private let parser = JSONParser()

  /// A follower that begins with the store as it is now, which need not be there yet.
  ///
  /// - Throws: as `LibraryStore.snapshot`.
  package init(_ store: LibraryStore) throws(StoreError) {
    self.store = store
    snapshot = try store.snapshot()
  }

  /// Calls the body with each change since the last look; several of one record come one by one,
  /// but for those before the store was replaced, which come as one.
  ///
  /// - Parameter isWanted: tells by kind, id and `seq` of a line whether it is worth decoding; it
  ///   may be asked about lines that count for nothing. Where the store was replaced, `seq` is that
  ///   of the last line, if there is one.
  /// - Returns: whether the file was replaced, so that records were compared.
  /// - Throws: as `LibraryStore.snapshot`, and what the body throws; what was not told then is
  ///   not told later.
  @discardableResult
  package func look(
    where isWanted: (RecordKind, String, Int64?) -> Bool = { _, _, _ in true },
    _ body: (StoreChange) throws -> Void
  ) throws -> Bool {
    let earlier = snapshot.image
    let fresh = try store.snapshot()
    snapshot = fresh
    switch (earlier, fresh.image) {
    case (nil, nil): return false
    case (let old?, let new?) where new.file.isSame(as: old.file) && new.bound >= old.bound:
      try follow(new, from: old.bound, isWanted, body)
      return false
    case (let old?, let new?) where new.file.isSameInode(as: old.file):
      // Somebody cut the file in place: what it held before cannot be looked at any more.
      try StoreComparison(old: nil, new: new).forEach(isWanted, body)
    case (let old, let new): try StoreComparison(old: old, new: new).forEach(isWanted, body)
    }
    return true
  }
}

extension StoreFollower {
  /// A line with what it says of its transaction.
  private struct Line {
    var change: StoreChange?
    var transaction: String?
    var commits: Bool
  }

  /// Lines of one transaction follow each other; they count when the last one says so.
  private func follow(
    _ image: StoreImage, from start: Int, _ isWanted: (RecordKind, String, Int64?) -> Bool,
    _ body: (StoreChange) throws -> Void
  ) throws {
    var open: (transaction: String, changes: [StoreChange])?
    var offset = start
    while offset < image.bound {
      let bytes = image.line(at: offset)
      let line = image.withTape(of: bytes, at: offset, parser) { Self.line($0, isWanted) }
      offset += bytes.count + 1
      guard let line else { continue }
      guard let transaction = line.transaction else {
        open = nil
        if let change = line.change { try body(change) }
        continue
      }
      if open?.transaction != transaction { open = (transaction, []) }
      if let change = line.change { open?.changes.append(change) }
      guard line.commits, let changes = open?.changes else { continue }
      open = nil
      for change in changes { try body(change) }
    }
  }

  /// Nil for a line that is broken or the header.
  private static func line(
    _ tape: JSONTape, _ isWanted: (RecordKind, String, Int64?) -> Bool
  ) -> Line? {
    guard let facts = LineFacts(tape), facts.key.kind != .header else { return nil }
    let change =
      isWanted(facts.key.kind, facts.key.id, facts.seq) ? StoreChange(tape, facts) : nil
    return Line(change: change, transaction: facts.transaction, commits: facts.commits)
  }
}
