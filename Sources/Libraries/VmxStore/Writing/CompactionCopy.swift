import Glibc
import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

/// The new file of a compaction while it is written.
final class CompactionCopy {
  let file: OpenFile
  private let home: LibraryHome
  private(set) var length = 0
  private var buffer: [UInt8] = []
  private var damaged: [UInt8] = []
  private let puttingStrangeAside: Bool

  /// Begins the file, throwing away what an earlier crash left.
  init(
    _ home: LibraryHome, header: [UInt8], puttingStrangeAside: Bool = false
  ) throws(FileError) {
    _ = home.fresh.withPlatformString { unlink($0) }
    self.home = home
    self.puttingStrangeAside = puttingStrangeAside
    file = try OpenFile(home.fresh, .readWrite, options: [.create, .exclusiveCreate])
    buffer = header
  }

  /// Copies the lines that count, in the order of the index.
  func copyLive(_ image: StoreImage, _ index: StoreIndex) throws(FileError) {
    let reader = RecordReader(image: image, parser: JSONParser())
    for place in index.places(where: { _ in true }) {
      copy(index[Int(place)], reader)
      if buffer.count > 1 << 20 { try drain() }
    }
    for line in index.broken { keepAside(image.line(at: line.offset)) }
    try drain()
  }

  /// Copies what was appended since, as it is.
  func copyTail(of image: StoreImage, from start: Int) throws(FileError) {
    var offset = start
    while offset < image.bound {
      let bytes = image.bytes(from: offset)
      buffer.append(contentsOf: bytes)
      offset += bytes.count
      try drain()
    }
  }

  /// Appends the broken lines to the file where they are kept.
  func keepDamaged() throws(FileError) {
    guard !damaged.isEmpty else { return }
    let kept = try OpenFile(home.damaged, .readWrite, options: .create)
    let end = try kept.facts().size
    var last: [UInt8] = [UInt8(ascii: "\n")]
    let outcome = last.withUnsafeMutableBytes { last in
      Result { () throws(FileError) in try kept.read(into: last, at: max(0, end - 1)) }
    }
    _ = try outcome.get()
    // What a full disk left without its end must not swallow the next line.
    if end > 0, last != [UInt8(ascii: "\n")] { damaged.insert(UInt8(ascii: "\n"), at: 0) }
    try kept.write(damaged, at: end)
    try dataSync(kept.descriptor, of: home.damaged)
  }

  private func drain() throws(FileError) {
    try file.write(buffer, at: Int64(length))
    length += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private enum Quality {
    case good
    /// Removes its record, in a form that the index does not know for that.
    case removal
    /// Legible, but not for us: perhaps for a later version. It stays, and the line before it too.
    case strange
    case broken
  }

  private func check(
    _ line: UnsafeRawBufferPointer, at offset: Int, _ reader: RecordReader
  ) -> Quality {
    let quality = reader.image.withTape(of: line, at: offset, reader.parser) { tape in
      guard let facts = LineFacts(tape) else { return nil as Quality? }
      if facts.deletes { return .removal }
      let isLegible = facts.key.kind != .episode || RecordReader.episode(tape, facts) != nil
      return isLegible ? .good : .strange
    }
    return quality ?? .broken
  }

  private func copy(_ entry: IndexEntry, _ reader: RecordReader) {
    let image = reader.image
    let line = image.line(at: entry.offset)
    switch check(line, at: entry.offset, reader) {
    case .good: break
    case .removal: return
    case .strange where !puttingStrangeAside: copyEarlier(entry, reader)
    case .strange, .broken:
      copyEarlier(entry, reader)
      keepAside(line)
      return
    }
    _ = image.withTape(of: line, at: entry.offset, reader.parser) { tape in
      LineFacts(tape).map { append(line, tape, $0) }
    }
  }

  /// Copies the last good line before a broken one.
  private func copyEarlier(_ entry: IndexEntry, _ reader: RecordReader) {
    let image = reader.image
    guard entry.marks.contains(.hasEarlier),
      let key = LineKey.at(entry.offset, of: image, reader.parser)
    else { return }
    _ = reader.last(key, before: entry.offset) { tape, facts -> Bool? in
      if key.kind == .episode, RecordReader.episode(tape, facts) == nil { return nil }
      append(nil, tape, facts)
      return true
    }
  }

  /// Appends one line without the marks of its transaction, whose other lines may be gone.
  private func append(_ line: UnsafeRawBufferPointer?, _ tape: JSONTape, _ facts: LineFacts) {
    if let line, let start = LineStart(line), let base = line.baseAddress {
      let afterTime = start.at - base + 25
      buffer.append(contentsOf: line[..<afterTime])
      buffer.append(contentsOf: line[start.length...])
      buffer.append(UInt8(ascii: "\n"))
      return
    }
    let at = (facts.at ?? Timestamp(seconds: 0)).text
    let fields = tape.object?.without(StoredRecord.ownedByStore) ?? JSONObject()
    LineWriter.append(facts.key, seq: facts.seq, at: at, fields: fields, to: &buffer)
  }

  /// Remembers a line for the file where broken ones are kept.
  func keepAside(_ line: UnsafeRawBufferPointer) {
    damaged.append(contentsOf: line)
    damaged.append(UInt8(ascii: "\n"))
  }
}
