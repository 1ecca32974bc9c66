import Glibc
import VmxJSON
import VmxModel

/// The fields that the store needs from every line, even from lines not in the writer's form.
struct LineFacts {
  let key: RecordKey
  let seq: Int64
  private let time: Moment?
  let transaction: String?
  let commits: Bool
  let deletes: Bool

  /// The text of a time, parsed only on request.
  private enum Moment {
    case standard(MomentText)
    case other(String)
  }

  /// The time when the line was written.
  var at: Timestamp? {
    switch time {
    case .standard(let text): Timestamp(text.text)
    case .other(let text): Timestamp(text)
    case nil: nil
    }
  }

  /// Reads the facts of a complete line; nil if the line has no kind or no id.
  init?(_ line: JSONTape) {
    var values = (kind: nil as JSONTape?, id: nil as JSONTape?, seq: nil as JSONTape?)
    var moment: JSONTape?
    var marks = (transaction: nil as JSONTape?, commits: false, deletes: false)
    line.forEachField { key, value in
      switch key.utf8?.count {
      case 2:
        if key.equals("id") { values.id = value } else if key.equals("at") { moment = value }
      case 3:
        if key.equals("seq") {
          values.seq = value
        } else if key.equals("txn") {
          marks.transaction = value
        }
      case 4: if key.equals("kind") { values.kind = value }
      case 6: if key.equals("commit") { marks.commits = value.bool ?? false }
      case 7: if key.equals("deleted") { marks.deletes = value.bool ?? false }
      default: break
      }
      return true
    }
    guard let kind = values.kind?.string, let id = values.id?.string else { return nil }
    key = RecordKey(kind: RecordKind(rawValue: kind), id: id)
    seq = values.seq?.integer ?? 0
    self.time = moment?.utf8.map { text in
      guard text.count == 24, let start = text.baseAddress else {
        return .other(String(decoding: text, as: UTF8.self))
      }
      return .standard(MomentText(start))
    }
    transaction = marks.transaction?.string
    commits = marks.commits
    deletes = marks.deletes
  }
}

/// A line that readers ignore because it is broken.
package struct DamagedLine: Sendable, Equatable {
  /// The offset of its first byte in the store.
  package let offset: Int
  /// The length in bytes, without the line end.
  package let length: Int

  /// Whether an unreadable line seems to belong to a record with this id.
  static func names(_ id: String, _ line: UnsafeRawBufferPointer) -> Bool {
    ByteSearch.offset(of: Array(#""id":"\#(id)""#.utf8), in: line) != nil
  }

  /// Whether an unreadable line seems to be the record of the episode with this id.
  static func isEpisode(_ id: String, _ line: UnsafeRawBufferPointer) -> Bool {
    names(id, line) && ByteSearch.offset(of: Array(#""kind":"episode""#.utf8), in: line) != nil
  }
}

extension StoreImage {
  /// Returns the key of the line at an offset; nil if the line is broken.
  func key(at offset: Int, _ parser: JSONParser) -> RecordKey? {
    let line = line(at: offset)
    return LineStart(line)?.key ?? facts(of: line, at: offset, parser)?.key
  }

  /// Returns the transaction of the line at an offset.
  func transaction(at offset: Int, _ parser: JSONParser) -> String? {
    let line = line(at: offset)
    guard let start = LineStart(line) else {
      return facts(of: line, at: offset, parser)?.transaction
    }
    return start.transaction.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether two lines belong to the same transaction, or both to none.
  func areTogether(_ left: Int, _ right: Int, parser: JSONParser) -> Bool {
    if let one = LineStart(line(at: left))?.transaction,
      let other = LineStart(line(at: right))?.transaction
    {
      return one.count == other.count && one.begins(with: other.baseAddress, other.count)
    }
    return transaction(at: left, parser) == transaction(at: right, parser)
  }

  /// Whether two lines belong to the same record.
  func haveOneKey(_ left: Int, _ right: Int, parser: JSONParser) -> Bool {
    let one = line(at: left)
    let other = line(at: right)
    if let start = LineStart(other), one.count > start.keyLength, LineStart(one) != nil {
      return one.begins(with: other.baseAddress, start.keyLength)
    }
    guard let key = key(at: left, parser) else { return false }
    return key == self.key(at: right, parser)
  }
}

extension LineStart {
  /// The key of the record.
  var key: RecordKey {
    RecordKey(
      kind: RecordKind(rawValue: String(decoding: kind, as: UTF8.self)),
      id: String(decoding: id, as: UTF8.self))
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the first bytes equal those at an address.
  @inline(__always)
  func begins(with bytes: UnsafeRawPointer?, _ length: Int) -> Bool {
    guard let base = baseAddress, let bytes, count >= length else { return false }
    return memcmp(base, bytes, length) == 0
  }

  /// Whether the bytes equal those of a text.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && begins(with: text.utf8Start, count)
  }
}

/// The start of a line in the form that the writer gives it, found without a JSON parser.
///
/// It guarantees nothing about the rest of the line, which may still be broken.
struct LineStart {
  private(set) var kind: UnsafeRawBufferPointer
  private(set) var id: UnsafeRawBufferPointer
  private(set) var seq: Int64 = 0
  /// The 24 bytes of the time, as `Timestamp.text` formats it.
  private(set) var at: UnsafeRawPointer
  private(set) var transaction: UnsafeRawBufferPointer?
  private(set) var commits = false
  private(set) var deletes = false
  /// The number of bytes before the fields, or before the closing brace.
  private(set) var length = 0

  /// The number of bytes up to the closing quote of the id: equal bytes mean equal keys.
  var keyLength: Int

  /// Reads the start of a line; nil if the line has another form.
  @inline(__always)
  init?(_ line: UnsafeRawBufferPointer) {
    guard let base = line.baseAddress, line.count > 64 else { return nil }
    let end = line.count
    guard Self.matches(base, #"{"kind":""#) else { return nil }
    guard let kind = Self.text(base, from: 9, to: min(end, 64)) else { return nil }
    var position = 9 + kind.count
    guard position + 8 < end, Self.matches(base + position, #"","id":""#) else { return nil }
    position += 8
    guard let id = Self.text(base, from: position, to: end) else { return nil }
    position += id.count
    keyLength = position + 1
    guard position + 8 < end, Self.matches(base + position, #"","seq":"#) else { return nil }
    position += 8
    self.kind = kind
    self.id = id
    at = base
    guard readNumbers(from: base, at: &position, end: end) else { return nil }
    guard readMarks(from: base, at: &position, end: end) else { return nil }
    length = position
  }

  @inline(__always)
  private mutating func readNumbers(
    from base: UnsafeRawPointer, at position: inout Int, end: Int
  ) -> Bool {
    let first = position
    while position < end {
      let digit = base.load(fromByteOffset: position, as: UInt8.self) &- UInt8(ascii: "0")
      if digit > 9 { break }
      seq = seq &* 10 &+ Int64(digit)
      position += 1
    }
    guard position > first, position - first <= 18, position + 33 < end,
      Self.matches(base + position, #","at":""#)
    else { return false }
    position += 7
    at = base + position
    position += 24
    guard base.load(fromByteOffset: position, as: UInt8.self) == UInt8(ascii: "\""),
      base.load(fromByteOffset: position - 1, as: UInt8.self) == UInt8(ascii: "Z")
    else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func readMarks(
    from base: UnsafeRawPointer, at position: inout Int, end: Int
  ) -> Bool {
    // `matches` fails at the first letter of the next field for almost all lines.
    if position + 8 < end, Self.matches(base + position, #","txn":""#) {
      guard let text = Self.text(base, from: position + 8, to: end) else { return false }
      transaction = text
      position += 8 + text.count + 1
    }
    if position + 14 < end, Self.matches(base + position, #","commit":true"#) {
      commits = true
      position += 14
    }
    if position + 15 < end, Self.matches(base + position, #","deleted":true"#) {
      deletes = true
      position += 15
    }
    guard position < end else { return false }
    let next = base.load(fromByteOffset: position, as: UInt8.self)
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "}")
  }

  @inline(__always)
  private static func matches(_ bytes: UnsafeRawPointer, _ text: StaticString) -> Bool {
    memcmp(bytes, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// Returns a string without escapes, up to its closing quote.
  @inline(__always)
  private static func text(
    _ base: UnsafeRawPointer, from start: Int, to end: Int
  ) -> UnsafeRawBufferPointer? {
    guard start < end, let quote = memchr(base + start, 0x22, end - start) else { return nil }
    let count = UnsafeRawPointer(quote) - (base + start)
    guard count > 0, memchr(base + start, 0x5C, count) == nil else { return nil }
    return UnsafeRawBufferPointer(start: base + start, count: count)
  }
}
