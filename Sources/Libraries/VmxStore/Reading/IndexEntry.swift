/// One record in the index, or one scanned line: 16 bytes.
struct IndexEntry: Sendable {
  /// The hash of kind and id.
  let hash: UInt64
  /// The offset of the line in the low 44 bits (16 TiB), and marks in the bits above.
  private var word: UInt64

  init(hash: UInt64, offset: Int, marks: Marks) {
    self.hash = hash
    word = UInt64(offset) | marks.rawValue
  }

  struct Marks: OptionSet, Hashable {
    let rawValue: UInt64
    /// The line is of kind episode.
    static let episode = Marks(rawValue: 1 << 44)
    /// The line removes the record.
    static let deleted = Marks(rawValue: 1 << 45)
    /// The record has an earlier line, which is current if this one is broken.
    static let hasEarlier = Marks(rawValue: 1 << 46)
    /// The record continues in another entry: it was removed and added again.
    static let moved = Marks(rawValue: 1 << 47)
    /// The line belongs to a transaction.
    static let transaction = Marks(rawValue: 1 << 48)
    /// The line is the last of its transaction.
    static let commits = Marks(rawValue: 1 << 49)
    /// The line is of another kind, or may match the query of the scan.
    static let candidate = Marks(rawValue: 1 << 50)

    /// Some bits of the hash of a kind's name; lines of episodes have none of them.
    static func kind(_ name: UnsafeRawBufferPointer) -> Marks {
      Marks(rawValue: KeyHash.fold(name)).intersection(.anyKind)
    }

    static func kind(_ kind: RecordKind) -> Marks {
      var name = kind.rawValue
      return name.withUTF8 { Marks.kind(UnsafeRawBufferPointer($0)) }
    }

    /// The bits of the kind alone.
    var kind: Marks { intersection(.anyKind) }

    private static let anyKind = Marks(rawValue: 0xFFF << 51)
  }

  var offset: Int { Int(word & (1 << 44 - 1)) }

  var marks: Marks {
    get { Marks(rawValue: word & ~(1 << 44 - 1)) }
    set { word = UInt64(offset) | newValue.rawValue }
  }

  /// Whether the record exists.
  var isLive: Bool { marks.isDisjoint(with: [.deleted, .moved]) }
}

/// A time as stored in lines, compared without parsing it.
struct MomentText: Sendable, Comparable {
  private let high: UInt64
  private let middle: UInt64
  private let low: UInt64

  /// Reads the 24 bytes of a time as `Timestamp.text` formats it.
  @inline(__always)
  init(_ bytes: UnsafeRawPointer) {
    high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    middle = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
  }

  init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 24 else { return nil }
    let words = (0..<3).map { word in
      bytes[word * 8..<word * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    (high, middle, low) = (words[0], words[1], words[2])
  }

  var text: String {
    let bytes = [high, middle, low].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @inline(__always)
  static func < (left: MomentText, right: MomentText) -> Bool {
    if left.high != right.high { return left.high < right.high }
    if left.middle != right.middle { return left.middle < right.middle }
    return left.low < right.low
  }
}
