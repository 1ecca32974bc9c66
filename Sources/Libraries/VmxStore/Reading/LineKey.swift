import Glibc
import VmxJSON
import VmxModel

/// Reads the key of a record from its line.
enum LineKey {
  /// Returns the key of the line at an offset; nil if the line is broken.
  static func at(_ offset: Int, of image: StoreImage, _ parser: JSONParser) -> RecordKey? {
    let line = image.line(at: offset)
    if let start = LineStart(line) { return start.key }
    return image.facts(of: line, at: offset, parser)?.key
  }

  /// Returns the transaction of the line at an offset.
  static func transaction(
    at offset: Int, of image: StoreImage, _ parser: JSONParser
  ) -> String? {
    let line = image.line(at: offset)
    if let start = LineStart(line) {
      return start.transaction.map { String(decoding: $0, as: UTF8.self) }
    }
    return image.facts(of: line, at: offset, parser)?.transaction
  }

  /// Whether two lines belong to the same transaction, or both to none.
  static func areTogether(
    _ left: Int, _ right: Int, of image: StoreImage, _ parser: JSONParser
  ) -> Bool {
    if let one = LineStart(image.line(at: left))?.transaction,
      let other = LineStart(image.line(at: right))?.transaction
    {
      return one.count == other.count && one.begins(with: other.baseAddress, other.count)
    }
    return transaction(at: left, of: image, parser) == transaction(at: right, of: image, parser)
  }

  /// Whether two lines belong to the same record.
  static func equal(
    _ left: Int, _ right: Int, of image: StoreImage, _ parser: JSONParser
  ) -> Bool {
    let one = image.line(at: left)
    let other = image.line(at: right)
    if let start = LineStart(other), one.count > start.keyLength, LineStart(one) != nil {
      return one.begins(with: other.baseAddress, start.keyLength)
    }
    guard let key = at(left, of: image, parser) else { return false }
    return key == at(right, of: image, parser)
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
