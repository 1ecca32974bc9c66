/// One line of a head without its end.
///
/// Nearly all are of ASCII alone and taken apart by their bytes; others, which no server should
/// send, by their characters.
struct HeaderLine {
  private let bytes: ArraySlice<UInt8>
  /// The same where it is not of ASCII alone.
  private let text: Substring?

  /// A line as it came, its end included.
  init(_ line: some Collection<UInt8>) {
    let line = Array(line)
    guard line.allSatisfy({ $0 < 0x80 }) else {
      text = String(decoding: line, as: UTF8.self).prefix { !$0.isNewline }
      bytes = []
      return
    }
    text = nil
    // What ends a line by Unicode, as far as it is in ASCII.
    bytes = line.prefix { !(0x0A...0x0D).contains($0) }
  }

  /// Whether there is nothing in it.
  var isEmpty: Bool { text?.isEmpty ?? bytes.isEmpty }

  /// The line, if it is one that begins an answer.
  var status: Substring? {
    if let text { return text.hasPrefix("HTTP/") ? text : nil }
    return bytes.starts(with: "HTTP/".utf8) ? Substring(decoding: bytes, as: UTF8.self) : nil
  }

  /// Adds the field that it holds.
  func add(to head: inout ResponseHead?) {
    if let text { return Self.add(text, to: &head) }
    if let first = bytes.first, Self.isBlank(first) {
      // A folded line (RFC 9112, section 5.2) goes on with the field before it.
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
