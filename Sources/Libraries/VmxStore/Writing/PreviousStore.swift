import VmxJSON
import VmxModel
import VmxSystem

// A compaction copies every record of the store that becomes `store.jsonl.1`. A compaction that
// keeps an older `store.jsonl.1` also copies the lines that remove records of that file. So each
// record of `store.jsonl.1` has a line in the store, and a record without one was lost by damage.
// Records that the user removed have a line with `deleted` and stay removed.

/// The file `store.jsonl.1`, from which a compaction recovers the records that the store has lost.
struct PreviousStore {
  let file: StoreFile
  private let image: StoreImage
  private let index: StoreIndex

  /// Opens the snapshot beside a store.
  ///
  /// - Parameter store: the store; if both names refer to the same file, there is no snapshot.
  /// - Returns: nil if there is none, or an empty one.
  /// - Throws: `StoreError.file`, `.tooNew`.
  static func open(
    _ home: LibraryHome, beside store: StoreFile?
  ) throws(StoreError) -> PreviousStore? {
    guard let file = try StoreFile.open(home.snapshot, writable: false), file.facts.size > 0,
      !file.isSameInode(as: store)
    else { return nil }
    return PreviousStore(file: file, image: try StoreImage(of: file))
  }

  private init(file: StoreFile, image: StoreImage) {
    self.file = file
    self.image = image
    var index = StoreIndex(expecting: image.bound / 1024)
    index.extend(over: image)
    self.index = index
  }

  /// The highest sequence number of all lines.
  var highestSeq: Int64 { index.highestSeq }

  /// The number of records whose last line can be read.
  var recordCount: Int { image.readableRecordCount(index) }

  /// Whether the store came from this file by compactions; false for a store that was restored from
  /// an older copy.
  func precedes(_ header: StoreHeader?) -> Bool {
    guard let own = file.header, let header else { return true }
    return own.library == header.library && own.epoch < header.epoch
  }

  /// Returns the places of the records that have no line in the store, in order.
  ///
  /// - Parameter isLost: whether the line at an offset in the store has no usable content.
  func lostIndices(
    from image: StoreImage, _ index: StoreIndex, where isLost: (Int) -> Bool = { _ in false }
  ) -> [Int] {
    let parser = JSONParser()
    return self.index.indices { _ in true }.compactMap { position in
      guard let key = key(of: Int(position), parser) else { return nil }
      if let found = index.entryIndex(of: key, in: image, parser), !isLost(index[found].offset) {
        return nil
      }
      return record(at: Int(position), parser) { _, _ in true } == nil ? nil : Int(position)
    }
  }

  /// Returns the position of a record; nil if this file does not have it.
  func recordIndex(of key: RecordKey, _ parser: JSONParser) -> Int? {
    index.entryIndex(of: key, in: image, parser).flatMap { index[$0].isLive ? $0 : nil }
  }

  /// Decodes the last good line of a record.
  func record<Value>(
    at position: Int, _ parser: JSONParser, _ decode: (JSONTape, LineFacts) -> Value?
  ) -> Value? {
    guard let key = key(of: position, parser) else { return nil }
    let entry = index[position]
    let found = RecordReader(image: image, parser: parser).read(
      key, at: entry.offset, hasEarlier: entry.marks.contains(.hasEarlier)
    ) { tape, facts in
      let isLegible = RecordReader.isLegible(tape, facts)
      return isLegible ? decode(tape, facts) : nil
    }
    return found?.value
  }

  /// Returns the offsets in the store of the lines that remove records of this file.
  func removals(in image: StoreImage, _ index: StoreIndex) -> [Int] {
    let parser = JSONParser()
    return self.index.indices { _ in true }.compactMap { position in
      guard let key = key(of: Int(position), parser),
        let found = index.entryIndex(of: key, in: image, parser), !index[found].isLive
      else { return nil }
      return index[found].offset
    }
  }

  private func key(of position: Int, _ parser: JSONParser) -> RecordKey? {
    image.key(at: index[position].offset, parser)
  }
}

extension StoreImage {
  /// The number of records whose last line can be read.
  func readableRecordCount(_ index: StoreIndex) -> Int {
    let damage = StoreSnapshot.damage(of: self, index)
    return index.indices { _ in true }.count - (damage.count - index.broken.count)
  }
}
