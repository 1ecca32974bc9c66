/// Finds the position of the first error in text that the fast parser rejected.
///
/// It parses the text again, byte by byte, because simdjson does not report where it stopped. It
/// accepts exactly the same grammar as the parser. If the two ever differ, the reported offset is
/// 0.
struct JSONFaultFinder {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  private var depth = 0

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  static func firstFault(in bytes: UnsafeRawBufferPointer) -> JSONSyntaxError {
    var finder = JSONFaultFinder(bytes)
    do throws(JSONSyntaxError) {
      try finder.document()
    } catch {
      return error
    }
    return JSONSyntaxError(offset: 0, reason: "not JSON")
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func fault(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
    let place = offset ?? place
    return JSONSyntaxError(
      offset: place, reason: place >= bytes.count ? "the text ends too early" : reason)
  }

  private mutating func document() throws(JSONSyntaxError) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw fault("a byte order mark") }
    skipBlanks()
    try value()
    skipBlanks()
    if place < bytes.count { throw fault("more after the end of the value") }
  }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { place += 1 }
  }

  private mutating func value() throws(JSONSyntaxError) {
    switch byte {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte): try number()
    default: throw fault("a value is expected")
    }
  }

  private mutating func enter() throws(JSONSyntaxError) {
    depth += 1
    if depth > JSONParser.deepest {
      throw fault("nested more than \(JSONParser.deepest) deep")
    }
    place += 1
    skipBlanks()
  }

  private mutating func object() throws(JSONSyntaxError) {
    try enter()
    var keys = Set<[UInt8]>()
    var first = true
    while byte != UInt8(ascii: "}") || !first {
      let start = place
      guard byte == UInt8(ascii: "\"") else { throw fault("a key in quotes is expected") }
      let key = try string()
      guard keys.insert(key).inserted else {
        throw fault("the key '\(String(decoding: key, as: UTF8.self))' stands twice", at: start)
      }
      skipBlanks()
      guard byte == UInt8(ascii: ":") else { throw fault("':' is expected") }
      place += 1
      skipBlanks()
      try value()
      skipBlanks()
      first = false
      if byte == UInt8(ascii: "}") { break }
      guard byte == UInt8(ascii: ",") else { throw fault("',' or '}' is expected") }
      place += 1
      skipBlanks()
    }
    place += 1
    depth -= 1
  }

  private mutating func array() throws(JSONSyntaxError) {
    try enter()
    var first = true
    while byte != UInt8(ascii: "]") || !first {
      try value()
      skipBlanks()
      first = false
      if byte == UInt8(ascii: "]") { break }
      guard byte == UInt8(ascii: ",") else { throw fault("',' or ']' is expected") }
      place += 1
      skipBlanks()
    }
    place += 1
    depth -= 1
  }

  private mutating func word(_ text: StaticString) throws(JSONSyntaxError) {
    let start = place
    for index in 0..<text.utf8CodeUnitCount {
      guard let byte else { throw fault("") }
      guard byte == text.utf8Start[index] else {
        throw fault("a value is expected", at: start)
      }
      place += 1
    }
  }

  private mutating func number() throws(JSONSyntaxError) {
    let start = place
    if byte == UInt8(ascii: "-") { place += 1 }
    let firstDigit = place
    try digits()
    if bytes[firstDigit] == UInt8(ascii: "0"), place > firstDigit + 1 {
      throw fault("a number begins with 0", at: firstDigit)
    }
    var isWhole = true
    if byte == UInt8(ascii: ".") {
      isWhole = false
      place += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isWhole = false
      place += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { place += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    let fits = isWhole ? Int64(text) != nil || UInt64(text) != nil : Double(text)?.isFinite == true
    if !fits { throw fault("a number out of range", at: start) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func digits() throws(JSONSyntaxError) {
    let start = place
    while let byte, Self.isDigit(byte) { place += 1 }
    if place == start { throw fault("a digit is expected") }
  }
}

extension JSONFaultFinder {
  /// Parses a string and returns its bytes with escapes resolved.
  private mutating func string() throws(JSONSyntaxError) -> [UInt8] {
    var text: [UInt8] = []
    place += 1
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        return text
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
      case 0: throw fault("a NUL")
      case 1..<0x20: throw fault("a control character in a string")
      case 0x20..<0x80:
        text.append(byte)
        place += 1
      default: text.append(contentsOf: try multibyte())
      }
    }
    throw fault("")
  }

  private mutating func multibyte() throws(JSONSyntaxError) -> [UInt8] {
    var decoder = UTF8()
    var rest = bytes[place...].makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&rest), let units = UTF8.encode(scalar)
    else { throw fault("not UTF-8") }
    place += units.count
    return Array(units)
  }

  private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
    let start = place
    place += 1
    guard let byte else { throw fault("") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try unicode(from: start)
    default: throw fault("an escape that JSON does not have", at: start)
    }
  }

  private mutating func unicode(from start: Int) throws(JSONSyntaxError) -> [UInt8] {
    let unit = try hexadecimal(from: start)
    if unit == 0 { throw fault("a NUL", at: start) }
    var scalar = Unicode.Scalar(unit)
    if scalar == nil, unit < 0xDC00 {
      guard byte == UInt8(ascii: "\\") else { throw fault("half a surrogate pair", at: start) }
      place += 1
      guard byte == UInt8(ascii: "u") else { throw fault("half a surrogate pair", at: start) }
      place += 1
      let low = try hexadecimal(from: start)
      if (0xDC00...0xDFFF).contains(low) {
        scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
      }
    }
    guard let scalar, let units = UTF8.encode(scalar) else {
      throw fault("half a surrogate pair", at: start)
    }
    return Array(units)
  }

  private mutating func hexadecimal(from start: Int) throws(JSONSyntaxError) -> UInt32 {
    guard place + 4 <= bytes.count else { throw fault("", at: bytes.count) }
    var unit: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw fault("an escape that JSON does not have", at: start)
      }
      unit = unit << 4 | UInt32(digit)
    }
    place += 4
    return unit
  }
}
