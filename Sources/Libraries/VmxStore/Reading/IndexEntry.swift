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

/// A fast 64-bit hash of the key of a record.
///
/// Its seed is random in each process, so that an attacker who chooses ids cannot cause collisions
/// in the tables. A caller compares the keys after a match of hashes.
enum KeyHash {
  private static let seed = UInt64.random(in: .min ... .max)

  @inline(__always)
  static func of(kind: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> UInt64 {
    fold(kind, into: fold(id, into: seed))
  }

  static func of(_ key: RecordKey) -> UInt64 {
    var kind = key.kind.rawValue
    var id = key.id
    return kind.withUTF8 { kind in
      id.withUTF8 { id in
        of(kind: UnsafeRawBufferPointer(kind), id: UnsafeRawBufferPointer(id))
      }
    }
  }

  static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { fold(UnsafeRawBufferPointer($0), into: seed) }
  }

  @inline(__always)
  static func fold(_ bytes: UnsafeRawBufferPointer, into start: UInt64 = seed) -> UInt64 {
    var hash = start ^ UInt64(truncatingIfNeeded: bytes.count)
    var position = 0
    while position + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      hash = mix(hash ^ word, 0x9E37_79B9_7F4A_7C15)
      position += 8
    }
    var rest: UInt64 = 0
    while position < bytes.count {
      rest = rest << 8 | UInt64(bytes[position])
      position += 1
    }
    return mix(hash ^ rest, 0xD6E8_FEB8_6659_FD93)
  }

  @inline(__always)
  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}

/// A bit set of hashes, used as a filter: a hash that is not in it was certainly never inserted.
struct HashMarks {
  private var words: ContiguousArray<UInt64>

  /// Creates an empty filter.
  ///
  /// - Parameter count: the expected number of hashes. At most one in sixteen other hashes is then
  ///   a false positive.
  init(expecting count: Int) {
    var size = 64
    while size < count / 4 { size *= 2 }
    words = ContiguousArray(repeating: 0, count: size)
  }

  mutating func insert(_ hash: UInt64) {
    words[bitIndex(of: hash)] |= bit(of: hash)
  }

  @inline(__always)
  func mayContain(_ hash: UInt64) -> Bool {
    words[bitIndex(of: hash)] & bit(of: hash) != 0
  }

  @inline(__always)
  private func bitIndex(of hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> 6) & (words.count - 1)
  }

  @inline(__always)
  private func bit(of hash: UInt64) -> UInt64 { 1 << (hash & 63) }
}
