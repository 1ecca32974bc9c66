import Glibc
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The new file that a compaction writes.
final class CompactionCopy {
  let file: OpenFile
  private let home: LibraryHome
  private(set) var length = 0
  /// The number of records in the file.
  private(set) var recordCount = 0
  /// The number of lost records that were copied from the previous snapshot.
  private(set) var recovered = 0
  /// Whether any line could not be read.
  private(set) var hasDamage = false
  private var buffer: [UInt8] = []
  private var damaged: [UInt8] = []
  private let previous: PreviousStore?
  private let request: CompactionRequest
  private var nextSeq: Int64
  /// The offsets of lines that remove a record and that the index took for live ones.
  private var removals: [Int] = []

  /// Creates the file, removing one that an earlier crash left.
  ///
  /// - Parameter previous: the snapshot that the store came from, as a source of lost records.
  init(
    _ home: LibraryHome, header: [UInt8], previous: PreviousStore?, _ request: CompactionRequest
  ) throws(FileError) {
    _ = home.compactedStore.withPlatformString { unlink($0) }
    self.home = home
    self.previous = previous
    self.request = request
    nextSeq = request.firstSeq ?? 0
    file = try OpenFile(home.compactedStore, .readWrite, options: [.create, .exclusiveCreate])
    buffer += header
  }

  /// Copies the current lines in the order of the index, and before each the lost records that
  /// preceded it in the snapshot.
  func copyLive(_ image: StoreImage, _ index: StoreIndex) throws(FileError) {
    let reader = RecordReader(image: image, parser: JSONParser())
    var lost = (previous?.lostIndices(from: image, index) ?? [])[...]
    for position in index.indices(where: { _ in true }) {
      let entry = index[Int(position)]
      if !lost.isEmpty { recover(&lost, before: entry, reader) }
      copy(entry, reader)
      if buffer.count > 1 << 20 { try drain() }
    }
    for position in lost { recover(position, reader.parser) }
    for line in index.broken { collectDamaged(image.line(at: line.offset)) }
    if recovered > 0 { copyRemovals(of: image, index) }
    try drain()
  }

  /// Copies the lines appended since, unchanged.
  func copyTail(of image: StoreImage, from start: Int) throws(FileError) {
    var offset = start
    while offset < image.bound {
      let bytes = image.bytes(from: offset)
      buffer.append(contentsOf: bytes)
      offset += bytes.count
      try drain()
    }
  }

  /// Appends the broken lines to `store.damaged`.
  func appendDamaged() throws(FileError) {
    try home.appendDamaged(damaged)
  }

  private func drain() throws(FileError) {
    try file.write(buffer, at: Int64(length))
    length += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private enum Quality {
    case valid
    /// The line removes its record, though the index took it for a live one.
    case removal
    /// Valid JSON that this version cannot interpret, perhaps of a later version. The line and the
    /// good line before it are both kept.
    case unknown
    case broken
  }

  private func check(
    _ line: UnsafeRawBufferPointer, at offset: Int, _ reader: RecordReader
  ) -> Quality {
    let quality = reader.image.withTape(of: line, at: offset, reader.parser) { tape in
      guard let facts = LineFacts(tape) else { return nil as Quality? }
      if facts.deletes { return .removal }
      return RecordReader.isLegible(tape, facts) ? .valid : .unknown
    }
    return quality ?? .broken
  }

  private func copy(_ entry: IndexEntry, _ reader: RecordReader) {
    let image = reader.image
    let line = image.line(at: entry.offset)
    switch check(line, at: entry.offset, reader) {
    case .valid: break
    case .removal:
      removals.append(entry.offset)
      return
    case .unknown where !request.movesUnknownLines: copyEarlier(entry, reader)
    case .unknown, .broken:
      if !copyEarlier(entry, reader) { recover(entry, reader) }
      collectDamaged(line)
      return
    }
    _ = image.withTape(of: line, at: entry.offset, reader.parser) { tape in
      LineFacts(tape).map { append(line, tape: tape, facts: $0) }
    }
  }

  /// Copies the last good line before a broken one; false if there is none.
  @discardableResult
  private func copyEarlier(_ entry: IndexEntry, _ reader: RecordReader) -> Bool {
    let image = reader.image
    guard entry.marks.contains(.hasEarlier),
      let key = image.key(at: entry.offset, reader.parser)
    else { return false }
    let found = reader.last(key, before: entry.offset) { tape, facts -> Bool? in
      guard RecordReader.isLegible(tape, facts) else { return nil }
      append(nil, tape: tape, facts: facts)
      return true
    }
    return found != nil
  }

  /// Appends one line without the marks of its transaction, whose other lines may be gone.
  private func append(_ line: UnsafeRawBufferPointer?, tape: JSONTape, facts: LineFacts) {
    recordCount += 1
    let at = facts.at ?? Timestamp(seconds: 0)
    if let times = request.times {
      let fields = tape.object?.without(StoredRecord.ownedByStore) ?? JSONObject()
      let corrected = times.corrected(fields, of: facts.key.kind, line: at)
      if corrected != fields || !times.isPossible(line: at) {
        return append(corrected, at: times.corrected(line: at), facts)
      }
    }
    if let line, let start = LineStart(line), let base = line.baseAddress, isPlausible(start) {
      let afterTime = start.at - base + 25
      buffer.append(contentsOf: line[..<afterTime])
      buffer.append(contentsOf: line[start.length...])
      buffer.append(UInt8(ascii: "\n"))
      return
    }
    append(tape.object?.without(StoredRecord.ownedByStore) ?? JSONObject(), at: at, facts)
  }

  private func append(_ fields: JSONObject, at time: Timestamp, _ facts: LineFacts) {
    LineWriter.append(
      facts.key, seq: plausible(facts.seq), at: time.text, fields: fields, to: &buffer)
  }

  private func isPlausible(_ start: LineStart) -> Bool { start.seq <= LineNumbers.plausible }

  /// Returns the sequence number of a line, or a new one if the number leaves none for further
  /// lines.
  private func plausible(_ seq: Int64) -> Int64 {
    guard request.firstSeq != nil, seq > LineNumbers.plausible else { return seq }
    nextSeq += 1
    return nextSeq - 1
  }

  /// Collects a line for `store.damaged`.
  func collectDamaged(_ line: UnsafeRawBufferPointer) {
    hasDamage = true
    damaged.append(contentsOf: line)
    damaged.append(UInt8(ascii: "\n"))
  }
}

extension CompactionCopy {
  /// Copies the lost records that preceded a record in the snapshot; all of them if the record is
  /// newer than the snapshot.
  private func recover(
    _ lost: inout ArraySlice<Int>, before entry: IndexEntry, _ reader: RecordReader
  ) {
    guard let key = reader.image.key(at: entry.offset, reader.parser) else { return }
    let position = previous?.recordIndex(of: key, reader.parser) ?? .max
    while let first = lost.first, first < position {
      recover(first, reader.parser)
      lost.removeFirst()
    }
  }

  /// Copies the record of a broken line from the snapshot, if it is there.
  private func recover(_ entry: IndexEntry, _ reader: RecordReader) {
    guard let key = reader.image.key(at: entry.offset, reader.parser),
      let position = previous?.recordIndex(of: key, reader.parser)
    else { return }
    recover(position, reader.parser)
  }

  private func recover(_ position: Int, _ parser: JSONParser) {
    let copied = previous?.record(at: position, parser) { tape, facts in
      append(nil, tape: tape, facts: facts)
      return true
    }
    if copied != nil { recovered += 1 }
  }

  /// Copies the lines that remove records of the snapshot if that snapshot is kept. Without these
  /// lines its records would appear lost.
  private func copyRemovals(of image: StoreImage, _ index: StoreIndex) {
    let parser = JSONParser()
    for offset in removals + (previous?.removals(in: image, index) ?? []) {
      guard let facts = image.facts(of: image.line(at: offset), at: offset, parser) else {
        continue
      }
      var marks = LineWriter.Marks()
      marks.deletes = true
      let at = facts.at ?? Timestamp(seconds: 0)
      LineWriter.append(
        facts.key, seq: plausible(facts.seq),
        at: (request.times?.corrected(line: at) ?? at).text,
        marks: marks, fields: JSONObject(), to: &buffer)
    }
  }
}
