import Glibc
import VmxJSON
import VmxModel
import VmxSystem

/// The lines of one piece of the store, in their order.
struct ScannedPiece: Sendable {
  var lines: ContiguousArray<IndexEntry> = []
  /// The number of lines that are candidates.
  var candidates = 0
  var broken: [DamagedLine] = []
  var newest: MomentText?
  var highestSeq: Int64 = 0

  @inline(__always)
  mutating func append(_ line: IndexEntry) {
    lines.append(line)
    if line.marks.contains(.candidate) { candidates += 1 }
  }
}

/// Scans the lines of a piece of the store and records the offset of each.
struct LineScanner {
  let image: StoreImage
  let parser: JSONParser
  /// The filter of the scan's query; lines that it rejects are not checked again for that query.
  let filter: RawFilter?

  /// Scans the lines that start in a range of offsets. The range may start at a line or at any byte
  /// of the line before.
  func scan(_ range: Range<Int>) -> ScannedPiece {
    var piece = ScannedPiece()
    piece.lines.reserveCapacity(range.count / 512)
    var offset = start(of: range)
    while offset < range.upperBound {
      let bytes = image.bytes(from: offset)
      let end = ByteSearch.forEachLine(
        in: bytes, before: range.upperBound - offset, findingIn: filter?.searchBytes ?? []
      ) { found in
        let line = bytes[found.start..<found.start + found.length]
        scan(.init(rebasing: line), at: offset + found.start, found: found, into: &piece)
      }
      guard end > 0 else { break }
      offset += end
    }
    return piece
  }

  private func start(of range: Range<Int>) -> Int {
    guard range.lowerBound > 0 else { return 0 }
    return range.lowerBound - 1 + image.line(at: range.lowerBound - 1).count + 1
  }

  @inline(__always)
  private func scan(
    _ line: UnsafeRawBufferPointer, at offset: Int, found: FoundLine,
    into piece: inout ScannedPiece
  ) {
    guard let start = LineStart(line), !start.deletes else {
      parse(line, at: offset, &piece)
      return
    }
    piece.highestSeq = max(piece.highestSeq, start.seq)
    let moment = MomentText(start.at)
    if piece.newest.map({ $0 < moment }) ?? true { piece.newest = moment }
    var marks: IndexEntry.Marks = .candidate
    if start.kind.equals("episode") {
      marks =
        filter?.mayMatch(line, start: start, found: found) == false
        ? .episode : [.episode, .candidate]
    } else if start.kind.equals("header") {
      return
    } else {
      marks.insert(.kind(start.kind))
    }
    if start.transaction != nil { marks.insert(.transaction) }
    if start.commits { marks.insert(.commits) }
    let hash = KeyHash.of(kind: start.kind, id: start.id)
    piece.append(IndexEntry(hash: hash, offset: offset, marks: marks))
  }

  /// Parses the whole line: it removes a record, or another program wrote it in another form.
  private func parse(
    _ line: UnsafeRawBufferPointer, at offset: Int, _ piece: inout ScannedPiece
  ) {
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return }
    guard let facts = image.facts(of: line, at: offset, parser) else {
      piece.broken.append(DamagedLine(offset: offset, length: line.count))
      return
    }
    if facts.key.kind == .header { return }
    piece.highestSeq = max(piece.highestSeq, facts.seq)
    if let moment = facts.at.flatMap({ MomentText(text: $0.text) }) {
      if piece.newest.map({ $0 < moment }) ?? true { piece.newest = moment }
    }
    var marks: IndexEntry.Marks = .candidate
    marks.insert(facts.key.kind == .episode ? .episode : .kind(facts.key.kind))
    if facts.deletes { marks.insert(.deleted) }
    if facts.transaction != nil { marks.insert(.transaction) }
    if facts.commits { marks.insert(.commits) }
    piece.append(IndexEntry(hash: KeyHash.of(facts.key), offset: offset, marks: marks))
  }
}

/// Processes pieces of work on all cores and delivers the results in order.
enum OrderedWork {
  /// Processes all pieces.
  ///
  /// - Parameters:
  ///   - pieces: the number of pieces.
  ///   - make: processes one piece, on any thread, with a parser of that thread.
  ///   - take: receives the results one by one, in order, on the calling thread. It ends the run by
  ///     returning false or by throwing.
  static func run<Result: Sendable>(
    pieces: Int, make: @escaping @Sendable (Int, JSONParser) -> Result,
    take: (Result) throws -> Bool
  ) rethrows {
    // The C library reads a file to determine the number of cores, which one piece does not need.
    let cores = pieces < 2 ? 1 : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    try WorkerThread.forEachInOrder(
      pieces, threads: cores, named: "vmx-store", context: { JSONParser() }, make: make, take: take)
  }
}
