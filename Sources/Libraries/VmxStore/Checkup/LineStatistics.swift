import VmxJSON
import VmxModel

/// What one go over all lines of the store tells, from the first to the last.
struct LineStatistics {
  /// A line that does not stand where our writer would have put it.
  struct Misplaced {
    let offset: Int
    let line: Int
    /// Whether the same bytes stand further above.
    var isDouble = false
  }

  /// Lines with a line end, blank ones too.
  private(set) var lines = 0
  /// A header that stands anywhere; the first one counts.
  private(set) var header: StoreHeader?
  /// Lines whose numbers are not above those of the lines before, the first ones only.
  private(set) var misplaced: [Misplaced] = []
  /// How many lines those are in all.
  private(set) var misplacedCount = 0
  /// First lines of transactions that another line follows before their end.
  private(set) var unfinished: [Int] = []
  /// Lines of kinds that this version does not know.
  private(set) var strangers = 0
  /// Line numbers of the damaged lines, in their order.
  private(set) var damageLines: [Int] = []
  /// Broken lines that a later line of their record has replaced.
  private(set) var replaced: [(line: DamagedLine, number: Int)] = []

  /// So many lines of a kind of damage are told one by one.
  static let told = 100

  private let image: StoreImage
  private let parser = JSONParser()
  private var highest: Int64
  private var isBehindCompaction = false
  private var open: (transaction: String, line: Int)?

  /// Goes over an image.
  ///
  /// - Parameter damage: the damaged lines, in the order of the file.
  init(of image: StoreImage, damage: [DamagedLine]) {
    self.image = image
    // A compaction puts lines in the order of their records; only what came later is in order.
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
        take(line, at: offset)
      }
      offset += line.count + 1
    }
    findDoubles()
  }

  private mutating func take(_ line: UnsafeRawBufferPointer, at offset: Int) {
    if let start = LineStart(line) {
      if start.kind.equals("header") { return takeHeader(line, at: offset) }
      if image.facts(of: line, at: offset, parser) == nil {
        replaced.append((DamagedLine(offset: offset, length: line.count), lines))
        return
      }
      follow(start.transaction.map { String(decoding: $0, as: UTF8.self) }, start.commits)
      if !start.kind.equals("episode") { count(String(decoding: start.kind, as: UTF8.self)) }
      return place(start.seq, at: offset)
    }
    guard let facts = image.facts(of: line, at: offset, parser) else { return }
    if facts.key.kind == .header { return takeHeader(line, at: offset) }
    follow(facts.transaction, facts.commits)
    count(facts.key.kind.rawValue)
    place(facts.seq, at: offset)
  }

  private mutating func takeHeader(_ line: UnsafeRawBufferPointer, at offset: Int) {
    guard header == nil else { return }
    header = image.withTape(of: line, at: offset, parser) { tape in
      tape.object.flatMap { StoreHeader(line: $0) }
    }
  }

  private mutating func count(_ kind: String) {
    if !RecordKind.known.contains(RecordKind(rawValue: kind)) { strangers += 1 }
  }

  private mutating func follow(_ transaction: String?, _ commits: Bool) {
    if let open, open.transaction != transaction { unfinished.append(open.line) }
    if let transaction, !commits {
      if open?.transaction != transaction { open = (transaction, lines) }
    } else {
      open = nil
    }
  }

  private mutating func place(_ seq: Int64, at offset: Int) {
    if seq > highest {
      highest = seq
      isBehindCompaction = true
    } else if isBehindCompaction {
      misplacedCount += 1
      if misplaced.count < Self.told { misplaced.append(Misplaced(offset: offset, line: lines)) }
    }
  }

  /// Looks for the bytes of the misplaced lines further above, by one more go.
  private mutating func findDoubles() {
    guard let last = misplaced.last else { return }
    var places: [UInt64: [Int]] = [:]
    for (index, line) in misplaced.enumerated() {
      places[KeyHash.fold(image.line(at: line.offset)), default: []].append(index)
    }
    var offset = 0
    while offset < last.offset {
      let line = image.line(at: offset)
      for index in places[KeyHash.fold(line)] ?? [] where offset < misplaced[index].offset {
        misplaced[index].isDouble = line.elementsEqual(image.line(at: misplaced[index].offset))
      }
      offset += line.count + 1
    }
  }
}
