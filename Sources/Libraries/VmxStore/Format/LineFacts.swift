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
