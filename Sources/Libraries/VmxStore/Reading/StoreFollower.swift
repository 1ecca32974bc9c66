import Glibc
import VmxJSON
package import VmxModel

// The cost of following depends on what is new, not on the size of the store. Each poll calls stat
// for the path and the open file, then reads from the last bound to the new one. The bound lies
// after a newline and before the lines of an unfinished transaction. If another file has replaced
// the store, both files are compared once, record by record. That happens after a compaction, after
// a copy was restored, and when the store is created or removed. So the caller receives every
// change, and nothing that is not a change.

/// The change of one record of the store.
package struct StoreChange: Sendable, Equatable {
  /// The new content of a record.
  package enum Content: Sendable, Equatable {
    /// An episode, decoded from its line.
    case episode(Episode)
    /// A record of another kind.
    case record(StoredRecord)
    /// The record was removed.
    case removed
  }

  /// The kind of the record.
  package let kind: RecordKind
  /// Its id.
  package let id: String
  /// The time when its line was written; nil if there is no line.
  package let at: Timestamp?
  /// The new content.
  package let content: Content
}

extension StoreChange {
  /// Decodes the change of a line; nil if a field is invalid, so that the previous line stays
  /// current.
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

/// Follows a store: each poll reports the changes since the last one, in the order of the lines.
///
/// It belongs to one thread, takes no lock and creates nothing.
package final class StoreFollower {
  /// The usual pause between two polls, in milliseconds. A change is detected well within a second.
  package static let interval: Int64 = 200

  /// The library as it was at the last poll.
  package private(set) var snapshot: StoreSnapshot
  private let store: LibraryStore
  private let parser = JSONParser()

  /// Starts to follow the store from its current content; the store need not exist yet.
  ///
  /// - Throws: the errors of `LibraryStore.snapshot`.
  package init(_ store: LibraryStore) throws(StoreError) {
    self.store = store
    snapshot = try store.snapshot()
  }

  /// Starts to follow the store from a snapshot of it.
  package init(_ store: LibraryStore, after snapshot: StoreSnapshot) {
    self.store = store
    self.snapshot = snapshot
  }

  /// Calls the body with each change since the last call. Several changes of one record are
  /// reported one by one; those from before the store was replaced are reported as one.
  ///
  /// - Parameter isWanted: decides by kind, id and `seq` of a line whether it is decoded. It may be
  ///   called for lines that are ignored. If the store was replaced, `seq` is that of the last
  ///   line, if there is one.
  /// - Returns: whether the file was replaced, so that records were compared.
  /// - Throws: the errors of `LibraryStore.snapshot`, and those of the body. Changes not reported
  ///   by then are never reported.
  @discardableResult
  package func forEachChange(
    where isWanted: (RecordKind, String, Int64?) -> Bool = { _, _, _ in true },
    _ body: (StoreChange) throws -> Void
  ) throws -> Bool {
    let earlier = snapshot.image
    let fresh = try store.snapshot()
    snapshot = fresh
    switch (earlier, fresh.image) {
    case (nil, nil): return false
    case (let old?, let new?) where new.file.isSame(as: old.file) && new.bound >= old.bound:
      try follow(new, from: old.bound, isWanted: isWanted, body: body)
      return false
    case (let old?, let new?) where new.file.isSameInode(as: old.file):
      // Another program truncated the file in place, so its former content is lost.
      try StoreComparison(old: nil, new: new).forEach(isWanted, body)
    case (let old, let new): try StoreComparison(old: old, new: new).forEach(isWanted, body)
    }
    return true
  }
}

extension StoreFollower {
  /// A change with the transaction marks of its line.
  private struct Line {
    var change: StoreChange?
    var transaction: String?
    var commits: Bool
  }

  /// Lines of one transaction are contiguous; they take effect with the commit line.
  private func follow(
    _ image: StoreImage, from start: Int, isWanted: (RecordKind, String, Int64?) -> Bool,
    body: (StoreChange) throws -> Void
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

  /// Decodes a line; nil if it is broken or the header.
  private static func line(
    _ tape: JSONTape, _ isWanted: (RecordKind, String, Int64?) -> Bool
  ) -> Line? {
    guard let facts = LineFacts(tape), facts.key.kind != .header else { return nil }
    let change =
      isWanted(facts.key.kind, facts.key.id, facts.seq) ? StoreChange(tape, facts) : nil
    return Line(change: change, transaction: facts.transaction, commits: facts.commits)
  }
}

/// Compares two files of the store record by record.
///
/// It builds an index of both, 16 bytes a record each, and reads each line.
struct StoreComparison {
  private let before: Side?
  private let after: Side?

  init(old: StoreImage?, new: StoreImage?) {
    before = old.map { Side($0) }
    after = new.map { Side($0) }
  }

  /// Calls the body with each new or changed record, in the order of the new file, then with each
  /// removed record.
  func forEach(
    _ isWanted: (RecordKind, String, Int64?) -> Bool, _ body: (StoreChange) throws -> Void
  ) rethrows {
    try after?.forEach { key, entry in
      guard isWanted(key.kind, key.id, after?.seq(at: entry)) else { return }
      let other = before?.entry(of: key)
      if let other, let after, before?.line(at: other).isEquivalent(after.line(at: entry)) == true {
        return
      }
      let earlier = other.flatMap { before?.change(of: key, at: $0) }
      if let change = after?.change(of: key, at: entry), change != earlier { try body(change) }
    }
    try before?.forEach { key, entry in
      guard isWanted(key.kind, key.id, nil) else { return }
      let later = after?.entry(of: key).flatMap { after?.change(of: key, at: $0) }
      guard later == nil, before?.change(of: key, at: entry) != nil else { return }
      try body(StoreChange(kind: key.kind, id: key.id, at: nil, content: .removed))
    }
  }
}

/// One of the two files that are compared.
private struct Side {
  private let image: StoreImage
  private let index: StoreIndex
  private let parser = JSONParser()

  init(_ image: StoreImage) {
    var index = StoreIndex(expecting: image.bound / 1024)
    index.extend(over: image)
    self.image = image
    self.index = index
  }

  func forEach(_ body: (RecordKey, IndexEntry) throws -> Void) rethrows {
    for position in index.indices(where: { _ in true }) {
      let entry = index[Int(position)]
      if let key = image.key(at: entry.offset, parser) { try body(key, entry) }
    }
  }

  /// Returns the entry of a record; nil if the file has none.
  func entry(of key: RecordKey) -> IndexEntry? {
    index.entryIndex(of: key, in: image, parser).map { index[$0] }.flatMap { $0.isLive ? $0 : nil }
  }

  func line(at entry: IndexEntry) -> UnsafeRawBufferPointer { image.line(at: entry.offset) }

  /// Returns the sequence number of a line; nil if the line is not in the writer's form.
  func seq(at entry: IndexEntry) -> Int64? { LineStart(line(at: entry))?.seq }

  /// Returns the content of a record; nil if none of its lines is good.
  func change(of key: RecordKey, at entry: IndexEntry) -> StoreChange? {
    RecordReader(image: image, parser: parser).read(
      key, at: entry.offset, hasEarlier: entry.marks.contains(.hasEarlier)
    ) { StoreChange($0, $1) }?.value
  }
}

extension UnsafeRawBufferPointer {
  /// Whether two lines are equal apart from the transaction marks, which compaction removes.
  fileprivate func isEquivalent(_ other: UnsafeRawBufferPointer) -> Bool {
    guard let base = baseAddress, let otherBase = other.baseAddress, let start = LineStart(self),
      let otherStart = LineStart(other)
    else { return false }
    // The time is the last field before the marks: 24 bytes and a quote.
    let head = start.at - base + 25
    let rest = count - start.length
    return head == otherStart.at - otherBase + 25 && memcmp(base, otherBase, head) == 0
      && rest == other.count - otherStart.length
      && memcmp(base + start.length, otherBase + otherStart.length, rest) == 0
  }
}
