/// One record in the index, or one line on its way there: 16 bytes.
struct IndexEntry: Sendable {
  /// Hash of kind and id.
  let hash: UInt64
  /// Offset of the line in the low 44 bits (16 TiB), marks above.
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
    /// There is an earlier line of the record, which counts should this one be broken.
    static let hasEarlier = Marks(rawValue: 1 << 46)
    /// The record went on in another entry: it was removed and put again.
    static let moved = Marks(rawValue: 1 << 47)
    /// The line belongs to a transaction.
    static let transaction = Marks(rawValue: 1 << 48)
    /// The line is the last of its transaction.
    static let commits = Marks(rawValue: 1 << 49)
    /// The line is of another kind, or may fit the query of the scan.
    static let candidate = Marks(rawValue: 1 << 50)

    /// Some bits of a hash of another kind's name; episodes have none.
    static func kind(_ name: UnsafeRawBufferPointer) -> Marks {
      Marks(rawValue: KeyHash.fold(name)).intersection(.anyKind)
    }

    static func kind(_ kind: RecordKind) -> Marks {
      var name = kind.rawValue
      return name.withUTF8 { Marks.kind(UnsafeRawBufferPointer($0)) }
    }

    /// The bits of its kind alone.
    var kind: Marks { intersection(.anyKind) }

    private static let anyKind = Marks(rawValue: 0xFFF << 51)
  }

  var offset: Int { Int(word & (1 << 44 - 1)) }

  var marks: Marks {
    get { Marks(rawValue: word & ~(1 << 44 - 1)) }
    set { word = UInt64(offset) | newValue.rawValue }
  }

  /// Whether the record is there.
  var isLive: Bool { marks.isDisjoint(with: [.deleted, .moved]) }
}

/// A time as lines hold it, compared without reading it.
struct MomentText: Sendable, Comparable {
  private let high: UInt64
  private let middle: UInt64
  private let low: UInt64

  /// The 24 bytes of a time as `Timestamp.text` gives it.
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
