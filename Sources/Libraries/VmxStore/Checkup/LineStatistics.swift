import VmxJSON
import VmxModel

/// Facts about all lines of the store, collected in one pass from the first line to the last.
struct LineStatistics {
  /// A line whose sequence number is not above those of the lines before it.
  struct Misplaced {
    let offset: Int
    let line: Int
    /// Whether the same bytes also appear earlier in the file.
    var isDuplicate = false
  }

  /// The number of lines with a line end, blank lines included.
  private(set) var lines = 0
  /// The first header line at any place in the file.
  private(set) var header: StoreHeader?
  /// The first lines whose sequence numbers are not above those of the lines before them.
  private(set) var misplaced: [Misplaced] = []
  /// The total number of misplaced lines.
  private(set) var misplacedCount = 0
  /// The first lines of transactions that another line interrupts before their commit line.
  private(set) var unfinished: [Int] = []
  /// The number of lines of kinds that this version does not know.
  private(set) var unknownKinds = 0
  /// The line numbers of the damaged lines, in ascending order.
  private(set) var damageLines: [Int] = []
  /// The broken lines that a later line of the same record has replaced.
  private(set) var replaced: [(line: DamagedLine, number: Int)] = []

  /// The maximum number of lines reported one by one for each kind of damage.
  static let maxReported = 100

  private let image: StoreImage
  private let parser = JSONParser()
  private var highest: Int64
  private var isAfterCompaction = false
  private var open: (transaction: String, line: Int)?

  /// Scans all lines of an image.
  ///
  /// - Parameter damage: the damaged lines, in the order of the file.
  init(of image: StoreImage, damage: [DamagedLine]) {
    self.image = image
    // A compaction orders lines by record; only lines appended later are in the order of numbers.
    highest = image.file.header?.seqFloor ?? 0
    var damage = damage[...]
    var offset = 0
    while offset < image.bound {
      let line = image.line(at: offset)
      lines += 1
      if damage.first?.offset == offset {
        damage.removeFirst()
        damageLines.append(lines)
      } else {
        countLine(line, at: offset)
      }
      offset += line.count + 1
    }
    findDuplicates()
  }

  private mutating func countLine(_ line: UnsafeRawBufferPointer, at offset: Int) {
    if let start = LineStart(line) {
      if start.kind.equals("header") { return readHeader(line, at: offset) }
      if image.facts(of: line, at: offset, parser) == nil {
        replaced.append((DamagedLine(offset: offset, length: line.count), lines))
        return
      }
      countTransaction(start.transaction.map { String(decoding: $0, as: UTF8.self) }, start.commits)
      if !start.kind.equals("episode") { count(String(decoding: start.kind, as: UTF8.self)) }
      return recordSequence(start.seq, at: offset)
    }
    guard let facts = image.facts(of: line, at: offset, parser) else { return }
    if facts.key.kind == .header { return readHeader(line, at: offset) }
    countTransaction(facts.transaction, facts.commits)
    count(facts.key.kind.rawValue)
    recordSequence(facts.seq, at: offset)
  }

  private mutating func readHeader(_ line: UnsafeRawBufferPointer, at offset: Int) {
    guard header == nil else { return }
    header = image.withTape(of: line, at: offset, parser) { tape in
      tape.object.flatMap { StoreHeader(line: $0) }
    }
  }

  private mutating func count(_ kind: String) {
    if !RecordKind(rawValue: kind).isKnown { unknownKinds += 1 }
  }

  private mutating func countTransaction(_ transaction: String?, _ commits: Bool) {
    if let open, open.transaction != transaction { unfinished.append(open.line) }
    if let transaction, !commits {
      if open?.transaction != transaction { open = (transaction, lines) }
    } else {
      open = nil
    }
  }

  private mutating func recordSequence(_ seq: Int64, at offset: Int) {
    if seq > highest {
      highest = seq
      isAfterCompaction = true
    } else if isAfterCompaction {
      misplacedCount += 1
      if misplaced.count < Self.maxReported {
        misplaced.append(Misplaced(offset: offset, line: lines))
      }
    }
  }

  /// Searches the lines before each misplaced line for the same bytes, in a second pass.
  private mutating func findDuplicates() {
    guard let last = misplaced.last else { return }
    var indices: [UInt64: [Int]] = [:]
    for (index, line) in misplaced.enumerated() {
      indices[KeyHash.fold(image.line(at: line.offset)), default: []].append(index)
    }
    var offset = 0
    while offset < last.offset {
      let line = image.line(at: offset)
      for index in indices[KeyHash.fold(line)] ?? [] where offset < misplaced[index].offset {
        misplaced[index].isDuplicate = line.elementsEqual(image.line(at: misplaced[index].offset))
      }
      offset += line.count + 1
    }
  }
}
