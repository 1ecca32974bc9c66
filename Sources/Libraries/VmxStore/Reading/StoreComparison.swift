import Glibc
import VmxJSON
import VmxModel

/// What is otherwise in one file of the store than in another, record by record.
///
/// It costs an index of both: 16 bytes a record each, and a look at each line.
struct StoreComparison {
  private let before: Side?
  private let after: Side?

  init(old: StoreImage?, new: StoreImage?) {
    before = old.map { Side($0) }
    after = new.map { Side($0) }
  }

  /// Calls the body with each record that is new or another one, in the order of the new file,
  /// then with those that are there no longer.
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

/// One of two files that are compared.
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

  /// Where a record stands; nil if it does not.
  func entry(of key: RecordKey) -> IndexEntry? {
    index.place(of: key, in: image, parser).map { index[$0] }.flatMap { $0.isLive ? $0 : nil }
  }

  func line(at entry: IndexEntry) -> UnsafeRawBufferPointer { image.line(at: entry.offset) }

  /// The number of a line; nil where it is not written in our manner.
  func seq(at entry: IndexEntry) -> Int64? { LineStart(line(at: entry))?.seq }

  /// What a record is; nil if no line of it is good.
  func change(of key: RecordKey, at entry: IndexEntry) -> StoreChange? {
    RecordReader(image: image, parser: parser).read(
      key, at: entry.offset, hasEarlier: entry.marks.contains(.hasEarlier)
    ) { StoreChange($0, $1) }?.value
  }
}

extension UnsafeRawBufferPointer {
  /// Whether two lines say the same but for the marks of a transaction, which compaction takes off.
  fileprivate func isAlike(_ other: UnsafeRawBufferPointer) -> Bool {
    guard let base = baseAddress, let otherBase = other.baseAddress, let start = LineStart(self),
      let otherStart = LineStart(other)
    else { return false }
    // The time is the last of what both have before the marks: 24 bytes and a quote.
    let head = start.at - base + 25
    let rest = count - start.length
    return head == otherStart.at - otherBase + 25 && memcmp(base, otherBase, head) == 0
      && rest == other.count - otherStart.length
      && memcmp(base + start.length, otherBase + otherStart.length, rest) == 0
  }
}
