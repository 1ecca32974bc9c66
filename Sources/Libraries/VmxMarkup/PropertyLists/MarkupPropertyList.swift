import VmxModel

/// Parses the XML form of property lists (`PropertyList-1.0.dtd`).
///
/// Unlike an NFO file, a malformed list is rejected: a partial record could be mistaken for a
/// complete one.
struct MarkupPropertyList {
  private var open: [Level] = []
  private var root: PropertyList?
  private var count = 0
  private let maxValues: Int
  private var failure: Failure?

  /// An open element.
  private struct Level {
    let name: String
    var text = ""
    var key: String?
    var fields: [PropertyList.Field] = []
    var values: [PropertyList] = []
  }

  private init(maxValues: Int) { self.maxValues = maxValues }

  /// Returns the value of a document.
  ///
  /// - Parameter maxValues: the maximum number of values; the names of a dictionary are none.
  /// - Throws: `record-unreadable`, `resources-short`.
  static func read(
    _ bytes: [UInt8], maxValues: Int = PropertyList.maxValues
  ) throws(Failure) -> PropertyList {
    var reader = MarkupPropertyList(maxValues: maxValues)
    var place = 0
    let form = try MarkupParser.parse(MarkupText.prepared(bytes), from: &place) {
      reader.take($0)
    }
    if let failure = reader.failure { throw failure }
    guard form == .wellFormed, let root = reader.root else {
      throw .unreadableList("it is not the XML of a property list")
    }
    return root
  }

  private mutating func take(_ event: MarkupEvent) {
    guard failure == nil else { return }
    switch event {
    case .begin(let element):
      guard open.isEmpty == (element.name == "plist") else {
        return refuse("'\(element.name)' is out of place")
      }
      if element.name != "plist", element.name != "key" { count += 1 }
      open.append(Level(name: element.name))
      if count > maxValues { refuse("it has too many values") }
      if open.count > PropertyList.deepest + 2 { refuse("it is nested too deep") }
    case .text(let text):
      if !open.isEmpty { open[open.count - 1].text += text }
    case .end:
      guard let level = open.popLast() else { return }
      close(level)
    }
  }

  private mutating func refuse(_ reason: String) { failure = .unreadableList(reason) }

  private mutating func close(_ level: Level) {
    if level.name == "plist" {
      guard level.values.count == 1 else { return refuse("it has not one value") }
      root = level.values[0]
    } else if level.name == "key", let parent = open.indices.last, open[parent].name == "dict" {
      guard open[parent].key == nil else { return refuse("a key has no value") }
      open[parent].key = level.text
    } else if let value = value(of: level) {
      add(value)
    } else {
      refuse("'\(level.name)' is malformed")
    }
  }

  private mutating func add(_ value: PropertyList) {
    guard let parent = open.indices.last else { return }
    switch open[parent].name {
    case "dict":
      guard let key = open[parent].key else { return refuse("a value has no key") }
      open[parent].fields.append(PropertyList.Field(key, value))
      open[parent].key = nil
    case "array", "plist": open[parent].values.append(value)
    default: refuse("a value is out of place")
    }
  }

  private func value(of level: Level) -> PropertyList? {
    switch level.name {
    case "dict": return level.key == nil ? dictionary(level.fields) : nil
    case "array": return .array(level.values)
    case "string": return .string(level.text)
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "integer": return integer(level.text.trimmed)
    case "real": return Double(level.text.trimmed).map { .real($0) }
    case "date": return Timestamp(level.text.trimmed).map { .date($0) }
    case "data": return Self.decoded(level.text.utf8).map { .data($0) }
    default: return nil
    }
  }

  /// Returns a dictionary, or a UID: XML represents archive references as a dictionary with
  /// `CF$UID`.
  private func dictionary(_ fields: [PropertyList.Field]) -> PropertyList {
    if fields.count == 1, fields[0].key == "CF$UID", case .integer(let number) = fields[0].value,
      let uid = UInt64(exactly: number)
    {
      return .uid(uid)
    }
    return .dictionary(fields)
  }

  private func integer(_ text: String) -> PropertyList? {
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
    let isHex = digits.lowercased().hasPrefix("0x")
    let magnitude = isHex ? digits.dropFirst(2) : digits
    guard let first = magnitude.first, first.isHexDigit else { return nil }
    if let number = Int64((isNegative ? "-" : "") + magnitude, radix: isHex ? 16 : 10) {
      return .integer(number)
    }
    return isHex ? nil : Double(text).map { .real($0) }
  }

  /// Decodes Base64 (RFC 4648) with white space between characters; nil for other text.
  private static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count, padding): (UInt32, Int, Int) = (0, 0, 0)
    for byte in text where !" \t\r\n".utf8.contains(byte) {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - 97 + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - 48 + 52
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 1
      if count % 4 == 0 {
        bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
      }
    }
    switch count % 4 {
    case 0: return bytes
    case 2: return bytes + [UInt8(bits >> 4 & 0xFF)]
    case 3: return bytes + [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)]
    default: return nil
    }
  }
}
