import Glibc
import VmxJSON
import VmxModel

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
      if let other, let after, before?.line(at: other).isAlike(after.line(at: entry)) == true {
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
    for place in index.places(where: { _ in true }) {
      let entry = index[Int(place)]
      if let key = LineKey.at(entry.offset, of: image, parser) { try body(key, entry) }
    }
  }

  /// Returns the entry of a record; nil if the file has none.
  func entry(of key: RecordKey) -> IndexEntry? {
    index.place(of: key, in: image, parser).map { index[$0] }.flatMap { $0.isLive ? $0 : nil }
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
  fileprivate func isAlike(_ other: UnsafeRawBufferPointer) -> Bool {
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
