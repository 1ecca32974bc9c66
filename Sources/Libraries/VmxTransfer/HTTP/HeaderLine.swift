/// One line of a response head without its line end.
///
/// Nearly all lines are pure ASCII and are parsed as bytes. Others, which no server should send,
/// are parsed as characters.
struct HeaderLine {
  private let bytes: ArraySlice<UInt8>
  /// The line as text if it is not pure ASCII.
  private let text: Substring?

  /// Creates a line from received bytes, including the line end.
  init(_ line: some Collection<UInt8>) {
    let line = Array(line)
    guard line.allSatisfy({ $0 < 0x80 }) else {
      text = String(decoding: line, as: UTF8.self).prefix { !$0.isNewline }
      bytes = []
      return
    }
    text = nil
    // The ASCII characters that end a line in Unicode.
    bytes = line.prefix { !(0x0A...0x0D).contains($0) }
  }

  /// Whether the line is empty.
  var isEmpty: Bool { text?.isEmpty ?? bytes.isEmpty }

  /// The line if it is a status line, else nil.
  var status: Substring? {
    if let text { return text.hasPrefix("HTTP/") ? text : nil }
    return bytes.starts(with: "HTTP/".utf8) ? Substring(decoding: bytes, as: UTF8.self) : nil
  }

  /// Adds the field in this line to a head.
  func add(to head: inout ResponseHead?) {
    if let text { return Self.add(text, to: &head) }
    if let first = bytes.first, Self.isBlank(first) {
      // A folded line (RFC 9112, section 5.2) continues the previous field.
      Self.goOn(with: Self.trimmed(bytes), &head)
      return
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
    let name = bytes[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    head?.fields.append(
      ResponseHead.Field(
        name: String(decoding: name, as: UTF8.self), value: Self.trimmed(bytes[(colon + 1)...])))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let rest = bytes.drop(while: isBlank)
    let end = rest.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? rest.startIndex
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private static func goOn(with value: String, _ head: inout ResponseHead?) {
    guard let last = head?.fields.indices.last else { return }
    head?.fields[last].value += " \(value)"
  }

  private static func add(_ line: Substring, to head: inout ResponseHead?) {
    if let first = line.first, first == " " || first == "\t" {
      goOn(with: trimmed(line), &head)
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let name = line[..<colon].lowercased()
    head?.fields.append(
      ResponseHead.Field(name: name, value: trimmed(line[line.index(after: colon)...])))
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
    while let last = text.last, last == " " || last == "\t" { text.removeLast() }
    return String(text)
  }
}
