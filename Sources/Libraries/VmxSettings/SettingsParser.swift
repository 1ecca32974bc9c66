import VmxModel

/// A parser of git's settings syntax, byte by byte, that tracks the current line.
struct SettingsParser {
  private let bytes: [UInt8]
  private let path: String
  private var index = 0
  private var line = 1
  private var section: String?

  init(_ bytes: [UInt8], path: String) {
    self.bytes = bytes
    self.path = path
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  mutating func pieces() throws(Failure) -> [SettingsPiece] {
    var pieces: [SettingsPiece] = []
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        advance()
      case UInt8(ascii: "#"), UInt8(ascii: ";"): skipComment()
      case UInt8(ascii: "["):
        let (start, line) = (index, line)
        let name = try sectionHeader()
        section = name
        pieces.append(SettingsPiece(.section, name, line: line, range: start..<index))
      default: pieces.append(try entry())
      }
    }
    return pieces
  }

  // MARK: Headers

  private mutating func sectionHeader() throws(Failure) -> String {
    advance()
    let name = parseWord { Self.isKeyByte($0) || $0 == UInt8(ascii: ".") }.lowercased()
    guard !name.isEmpty else { throw syntaxError("a section without a name") }
    skipBlanks()
    if peek() == UInt8(ascii: "]") {
      advance()
      return name
    }
    guard peek() == UInt8(ascii: "\"") else {
      throw syntaxError("a section without its closing ']'")
    }
    let subsection = try subsectionName()
    skipBlanks()
    guard peek() == UInt8(ascii: "]") else {
      throw syntaxError("a section without its closing ']'")
    }
    advance()
    return "\(name).\(subsection)"
  }

  /// In subsections a backslash only removes the special meaning of the next character.
  private mutating func subsectionName() throws(Failure) -> String {
    advance()
    var name: [UInt8] = []
    while let byte = peek(), byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\n") {
      if byte == UInt8(ascii: "\\") { advance() }
      guard let plain = peek(), plain != UInt8(ascii: "\n") else { break }
      name.append(plain)
      advance()
    }
    guard peek() == UInt8(ascii: "\"") else {
      throw syntaxError("a section name without its closing quote")
    }
    advance()
    return try text(name)
  }

  // MARK: Values

  private mutating func entry() throws(Failure) -> SettingsPiece {
    let (start, first) = (index, line)
    guard let byte = peek(), byte.isASCIIAlphanumeric, byte > UInt8(ascii: "9") else {
      throw syntaxError("a line that is neither a section nor 'key = value'")
    }
    let key = parseWord(Self.isKeyByte).lowercased()
    guard let section else { throw syntaxError("key '\(key)' is before the first section") }
    let keyEnd = index
    skipBlanks()
    var content = SettingsPiece.Content.entry(nil, keyEnd..<keyEnd)
    switch peek() {
    case UInt8(ascii: "="):
      advance()
      content = try value()
    case nil, UInt8(ascii: "\n"), UInt8(ascii: "#"), UInt8(ascii: ";"): break
    default: throw syntaxError("key '\(key)' is not followed by '='")
    }
    let end = if case .entry(nil, _) = content { keyEnd } else { index }
    return SettingsPiece(content, "\(section).\(key)", line: first, range: start..<end)
  }

  private mutating func value() throws(Failure) -> SettingsPiece.Content {
    while peek() == UInt8(ascii: " ") || peek() == UInt8(ascii: "\t") { advance() }
    let gap = index
    skipBlanks()
    let start = index
    var value: [UInt8] = []
    // The length that trimming must keep, and its end in the file: quoted or escaped text, and
    // everything before it.
    var (firm, end) = (0, start)
    var quoted = false
    while let byte = peek(), byte != UInt8(ascii: "\n") {
      switch byte {
      case UInt8(ascii: "\""):
        quoted.toggle()
        advance()
        (firm, end) = (value.count, index)
      case UInt8(ascii: "#") where !quoted, UInt8(ascii: ";") where !quoted:
        skipComment()
      case UInt8(ascii: "\\"):
        if let escaped = try escape() { value.append(escaped) }
        (firm, end) = (value.count, index)
      case UInt8(ascii: "\r") where isLineEnd(index + 1): advance()
      case _ where Self.isBlank(byte) && !quoted && value.isEmpty: advance()
      default:
        value.append(byte)
        advance()
        if !Self.isBlank(byte) { (firm, end) = (value.count, index) }
      }
    }
    guard !quoted else { throw syntaxError("a value without its closing quote") }
    return .entry(try text(Array(value.prefix(firm))), end == start ? gap..<gap : start..<end)
  }

  /// Parses an escape and returns its byte; nil for a line continuation.
  private mutating func escape() throws(Failure) -> UInt8? {
    advance()
    if peek() == UInt8(ascii: "\r"), isLineEnd(index + 1) { advance() }
    guard let byte = peek() else { throw syntaxError("a backslash at the end of the file") }
    let escaped: UInt8? =
      switch byte {
      case UInt8(ascii: "\n"): nil
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): byte
      case UInt8(ascii: "n"): 0x0A
      case UInt8(ascii: "t"): 0x09
      case UInt8(ascii: "b"): 0x08
      default: throw syntaxError(#"an escape other than \\, \", \n, \t and \b"#)
      }
    advance()
    return escaped
  }

  // MARK: Bytes

  private func peek() -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func advance() {
    if peek() == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private mutating func skipBlanks() {
    while let byte = peek(), Self.isBlank(byte) { advance() }
  }

  private mutating func skipComment() {
    while let byte = peek(), byte != UInt8(ascii: "\n") { index += 1 }
  }

  private mutating func parseWord(_ belongs: (UInt8) -> Bool) -> String {
    let start = index
    while let byte = peek(), belongs(byte) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func text(_ bytes: [UInt8]) throws(Failure) -> String {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw syntaxError("bytes that are not UTF-8")
    }
    return text
  }

  private func isLineEnd(_ index: Int) -> Bool {
    index >= bytes.count || bytes[index] == UInt8(ascii: "\n")
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-")
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  private func syntaxError(_ what: String) -> Failure {
    Failure(.badSetting, "\(SettingOrigin.file(path, line: line).phrase): \(what)")
  }
}
