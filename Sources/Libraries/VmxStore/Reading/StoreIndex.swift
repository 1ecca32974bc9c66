import VmxJSON
import VmxModel

// The index has one entry of 16 bytes for each record, in the order in which they first appeared. A
// hash table of 4-byte places is at most seven tenths full. Entries are stored in blocks, so that
// growing never copies them all. While the table doubles, it needs at most 17 more bytes a record.
// The index decodes nothing of a line.

/// An index of the current lines of a store up to some offset.
struct StoreIndex: Sendable {
  private static let blockShift = 14

  private var blocks: ContiguousArray<ContiguousArray<IndexEntry>> = []
  private var slots: ContiguousArray<UInt32>
  /// The places of the entries that are not episodes, by the bits of their kind.
  private var others: [IndexEntry.Marks: ContiguousArray<UInt32>] = [:]
  /// The number of entries, including those of removed records.
  private(set) var count = 0
  /// The number of bytes of the store that were scanned.
  private(set) var end = 0
  /// The number of bytes in lines that are no longer current.
  private(set) var deadBytes = 0
  /// The lines that are not even legible enough to contain a key.
  private(set) var broken: [DamagedLine] = []
  /// The newest time of all lines.
  private(set) var newest: MomentText?
  /// The highest sequence number of all lines.
  private(set) var highestSeq: Int64 = 0
  /// The lines of a transaction whose commit line has not been read yet.
  private var open: [IndexEntry] = []

  init(expecting records: Int = 0) {
    var size = 1024
    while size * 7 < records * 10 { size *= 2 }
    slots = ContiguousArray(repeating: 0, count: size)
  }

  /// The entry at a position, in the order of first appearance.
  @inline(__always)
  subscript(index: Int) -> IndexEntry {
    blocks[index >> Self.blockShift][index & (1 << Self.blockShift - 1)]
  }

  /// Returns the places of the live entries that satisfy a condition, in order.
  func indices(where fits: (IndexEntry) -> Bool) -> ContiguousArray<UInt32> {
    var positions: ContiguousArray<UInt32> = []
    var position: UInt32 = 0
    for block in blocks {
      for entry in block {
        if entry.isLive, fits(entry) { positions.append(position) }
        position += 1
      }
    }
    return positions
  }

  /// Returns the places of the live records of a kind other than episodes, in order. It may include
  /// records of other kinds.
  func indices(of kind: RecordKind) -> [UInt32] {
    others[.kind(kind), default: []].filter { self[Int($0)].isLive }
  }

  /// The places of all live records that are not episodes, in order.
  var placesOfOthers: [UInt32] {
    others.values.joined().filter { self[Int($0)].isLive }.sorted()
  }

  /// Scans the lines that an image has beyond the last scan.
  mutating func extend(over image: StoreImage) {
    let parser = JSONParser()
    Self.scan(image, from: end) { add($0, of: image, parser) }
    discardOpen(of: image)
    end = image.bound
  }

  /// Builds an index without the episodes whose lines a filter rejects. Everything else that a scan
  /// collects is complete, except the number of dead bytes.
  static func sparse(of image: StoreImage, _ filter: RawFilter) -> StoreIndex {
    var pieces: [ScannedPiece] = []
    scan(image, from: 0, filter: filter) { pieces.append($0) }
    var wanted = HashMarks(expecting: pieces.reduce(0) { $0 + $1.candidates })
    for piece in pieces {
      for line in piece.lines where line.marks.contains(.candidate) { wanted.insert(line.hash) }
    }
    var index = StoreIndex()
    let parser = JSONParser()
    for piece in pieces { index.add(piece, only: wanted, of: image, parser) }
    index.discardOpen(of: image)
    index.end = image.bound
    return index
  }

  /// Scans an image on all cores; the body receives the pieces in order.
  private static func scan(
    _ image: StoreImage, from start: Int, filter: RawFilter? = nil,
    body: (ScannedPiece) -> Void
  ) {
    guard start < image.bound else { return }
    let pieceSize = image.bound - start > 16 << 20 ? 2 << 20 : max(1, image.bound - start)
    let pieces = (image.bound - start + pieceSize - 1) / pieceSize
    OrderedWork.run(pieces: pieces) { number, parser in
      let from = start + number * pieceSize
      let scanner = LineScanner(image: image, parser: parser, filter: filter)
      return scanner.scan(from..<min(from + pieceSize, image.bound))
    } take: { piece in
      body(piece)
      return true
    }
  }

  /// Returns the position of a record's entry, whether or not the record was removed.
  func entryIndex(of key: RecordKey, in image: StoreImage, _ parser: JSONParser) -> Int? {
    let hash = KeyHash.of(key)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      let entry = self[position]
      if entry.hash == hash, image.key(at: entry.offset, parser) == key { return position }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}

extension StoreIndex {
  /// Adds the lines of a scanned piece.
  ///
  /// - Parameter wanted: the hashes of the records to add; nil for all.
  private mutating func add(
    _ piece: ScannedPiece, only wanted: HashMarks? = nil, of image: StoreImage,
    _ parser: JSONParser
  ) {
    for line in piece.lines {
      if line.marks.contains(.transaction) || !open.isEmpty {
        addInTransaction(line, of: image, parser)
      } else if wanted?.mayContain(line.hash) ?? true {
        insert(line, of: image, parser)
      }
    }
    for line in piece.broken {
      broken.append(line)
      deadBytes += line.length + 1
    }
    if let moment = piece.newest, newest.map({ $0 < moment }) ?? true { newest = moment }
    highestSeq = max(highestSeq, piece.highestSeq)
  }

  /// Lines of one transaction are contiguous; they take effect with the commit line.
  private mutating func addInTransaction(
    _ line: IndexEntry, of image: StoreImage, _ parser: JSONParser
  ) {
    if let first = open.first,
      !image.areTogether(first.offset, line.offset, parser: parser)
    {
      discardOpen(of: image)
    }
    guard line.marks.contains(.transaction) else {
      insert(line, of: image, parser)
      return
    }
    open.append(line)
    guard line.marks.contains(.commits) else { return }
    let lines = open
    open = []
    for line in lines { insert(line, of: image, parser) }
  }

  private mutating func discardOpen(of image: StoreImage) {
    for line in open { deadBytes += image.line(at: line.offset).count + 1 }
    open = []
  }

  @inline(__always)
  private mutating func insert(_ line: IndexEntry, of image: StoreImage, _ parser: JSONParser) {
    var slot = Int(truncatingIfNeeded: line.hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let position = Int(slots[slot]) - 1
      let entry = self[position]
      if entry.hash == line.hash, image.haveOneKey(entry.offset, line.offset, parser: parser) {
        replace(position, by: line, slot, of: image)
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    append(line, slot)
    if line.marks.contains(.deleted) { deadBytes += image.line(at: line.offset).count + 1 }
  }

  private mutating func replace(
    _ position: Int, by line: IndexEntry, _ slot: Int, of image: StoreImage
  ) {
    var line = line
    let old = self[position]
    line.marks.insert(.hasEarlier)
    if line.marks.contains(.deleted) { deadBytes += image.line(at: line.offset).count + 1 }
    if !old.marks.contains(.deleted) {
      deadBytes += image.line(at: old.offset).count + 1
    } else if !line.marks.contains(.deleted) {
      // A record that was removed and added again is new: it moves to the end.
      set(position) { $0.marks.insert(.moved) }
      append(line, slot)
      return
    }
    set(position) { $0 = line }
  }

  private mutating func set(_ position: Int, _ change: (inout IndexEntry) -> Void) {
    change(&blocks[position >> Self.blockShift][position & (1 << Self.blockShift - 1)])
  }

  private mutating func append(_ line: IndexEntry, _ slot: Int) {
    if count & (1 << Self.blockShift - 1) == 0 {
      var block = ContiguousArray<IndexEntry>()
      block.reserveCapacity(1 << Self.blockShift)
      blocks.append(block)
    }
    blocks[count >> Self.blockShift].append(line)
    if !line.marks.contains(.episode) {
      others[line.marks.kind, default: []].append(UInt32(count))
    }
    count += 1
    slots[slot] = UInt32(count)
    if count * 10 >= slots.count * 7 { resize() }
  }

  private mutating func resize() {
    let size = slots.count * 2
    var grown = ContiguousArray<UInt32>(repeating: 0, count: size)
    for position in 0..<count where !self[position].marks.contains(.moved) {
      var slot = Int(truncatingIfNeeded: self[position].hash) & (size - 1)
      while grown[slot] != 0 { slot = (slot + 1) & (size - 1) }
      grown[slot] = UInt32(position + 1)
    }
    slots = grown
  }
}
