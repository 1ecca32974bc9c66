import Glibc

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
