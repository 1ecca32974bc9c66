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
    var place = 9 + kind.count
    guard place + 8 < end, Self.matches(base + place, #"","id":""#) else { return nil }
    place += 8
    guard let id = Self.text(base, from: place, to: end) else { return nil }
    place += id.count
    keyLength = place + 1
    guard place + 8 < end, Self.matches(base + place, #"","seq":"#) else { return nil }
    place += 8
    self.kind = kind
    self.id = id
    at = base
    guard readNumbers(from: base, at: &place, end: end) else { return nil }
    guard readMarks(from: base, at: &place, end: end) else { return nil }
    length = place
  }

  @inline(__always)
  private mutating func readNumbers(
    from base: UnsafeRawPointer, at place: inout Int, end: Int
  ) -> Bool {
    let first = place
    while place < end {
      let digit = base.load(fromByteOffset: place, as: UInt8.self) &- UInt8(ascii: "0")
      if digit > 9 { break }
      seq = seq &* 10 &+ Int64(digit)
      place += 1
    }
    guard place > first, place - first <= 18, place + 33 < end,
      Self.matches(base + place, #","at":""#)
    else { return false }
    place += 7
    at = base + place
    place += 24
    guard base.load(fromByteOffset: place, as: UInt8.self) == UInt8(ascii: "\""),
      base.load(fromByteOffset: place - 1, as: UInt8.self) == UInt8(ascii: "Z")
    else { return false }
    place += 1
    return true
  }

  @inline(__always)
  private mutating func readMarks(
    from base: UnsafeRawPointer, at place: inout Int, end: Int
  ) -> Bool {
    // `matches` fails at the first letter of the next field for almost all lines.
    if place + 8 < end, Self.matches(base + place, #","txn":""#) {
      guard let text = Self.text(base, from: place + 8, to: end) else { return false }
      transaction = text
      place += 8 + text.count + 1
    }
    if place + 14 < end, Self.matches(base + place, #","commit":true"#) {
      commits = true
      place += 14
    }
    if place + 15 < end, Self.matches(base + place, #","deleted":true"#) {
      deletes = true
      place += 15
    }
    guard place < end else { return false }
    let next = base.load(fromByteOffset: place, as: UInt8.self)
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
