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
  /// The levels below the root at which values are passed on; 0 to keep all of them.
  private let levels: Int

  /// A value with its position.
  private typealias Found = (path: [PropertyListFile.Step], value: PropertyList)

  /// An open element.
  private struct Level {
    let name: String
    var text = ""
    var key: String?
    var fields: [PropertyList.Field] = []
    var values: [PropertyList] = []
    /// The number of its members, including those that were passed on.
    var count = 0
  }

  private init(levels: Int = 0, maxValues: Int = PropertyList.maxValues) {
    self.levels = levels
    self.maxValues = maxValues
  }

  /// Returns the value of a document.
  ///
  /// - Parameter maxValues: the maximum number of values; the names of a dictionary are none.
  /// - Throws: `record-unreadable`, `resources-short`.
  static func read(
    _ bytes: [UInt8], maxValues: Int = PropertyList.maxValues
  ) throws(Failure) -> PropertyList {
    var reader = MarkupPropertyList(maxValues: maxValues)
    var position = 0
    let form = try MarkupParser.parse(MarkupText.prepared(bytes), from: &position) {
      _ = reader.handle($0)
    }
    return try reader.root(form)
  }

  /// Parses a document in pieces, and calls the body as `PropertyListFile.forEachValue` does.
  ///
  /// - Parameter next: returns the next prepared piece of the text; nil after the last one.
  /// - Throws: `record-unreadable`, `resources-short`, the errors of both closures.
  static func forEachValue(
    levels: Int, _ body: PropertyListFile.Body,
    next: () throws(Failure) -> [UInt8]?
  ) throws {
    var reader = MarkupPropertyList(levels: levels)
    var thrown: (any Error)?
    let form = try MarkupParser.parse { event in
      guard thrown == nil, let found = reader.handle(event) else { return }
      do {
        try body(found.path, found.value)
      } catch {
        thrown = error
      }
    } pieces: { feed throws(Failure) in
      while thrown == nil, reader.failure == nil, let piece = try next(),
        piece.withUnsafeBufferPointer({ feed($0) })
      {}
    }
    if let thrown { throw thrown }
    _ = try reader.root(form)
  }

  private func root(_ form: MarkupParser.Form) throws(Failure) -> PropertyList {
    if let failure { throw failure }
    guard form == .wellFormed, let root else {
      throw .unreadableList("it is not the XML of a property list")
    }
    return root
  }

  /// Processes an event; returns the value to pass on, if the event completes one.
  private mutating func handle(_ event: MarkupEvent) -> Found? {
    guard failure == nil else { return nil }
    switch event {
    case .begin(let element):
      guard open.isEmpty == (element.name == "plist") else {
        refuse("'\(element.name)' is out of place")
        return nil
      }
      if element.name != "plist", element.name != "key" { count += 1 }
      open.append(Level(name: element.name))
      if count > maxValues { refuse("it has too many values") }
      if open.count > PropertyList.maxDepth + 2 { refuse("it is nested too deep") }
    case .text(let text):
      if !open.isEmpty { open[open.count - 1].text += text }
    case .end:
      if let level = open.popLast() { return close(level) }
    }
    return nil
  }

  private mutating func refuse(_ reason: String) { failure = .unreadableList(reason) }

  private mutating func close(_ level: Level) -> Found? {
    if level.name == "plist" {
      if level.values.count != 1 { refuse("it has not one value") }
      root = level.values.first
    } else if level.name == "key", let parent = open.indices.last, open[parent].name == "dict" {
      if open[parent].key != nil { refuse("a key has no value") }
      open[parent].key = level.text
    } else if let value = value(of: level) {
      return add(value, hasMembers: level.count > 0)
    } else {
      refuse("'\(level.name)' is malformed")
    }
    return nil
  }

  /// Adds a value to the innermost open element, or returns it if it is passed on.
  private mutating func add(_ value: PropertyList, hasMembers: Bool) -> Found? {
    guard let parent = open.indices.last else { return nil }
    let isPassedOn = parent > 0 && parent <= levels
    let found = isPassedOn && (parent == levels || !hasMembers) ? (path, value) : nil
    switch open[parent].name {
    case "dict":
      guard let key = open[parent].key else {
        refuse("a value has no key")
        return nil
      }
      if !isPassedOn { open[parent].fields.append(PropertyList.Field(key, value)) }
      open[parent].key = nil
    case "array", "plist":
      if !isPassedOn { open[parent].values.append(value) }
    default:
      refuse("a value is out of place")
      return nil
    }
    open[parent].count += 1
    return found
  }

  /// The position of the value that was just closed.
  private var path: [PropertyListFile.Step] {
    open.dropFirst().map { PropertyListFile.Step(index: $0.count, key: $0.key) }
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
