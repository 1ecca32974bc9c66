/// Puts an answer's head together from the lines that libcurl hands over.
///
/// Informational answers (1xx) are passed over; lines after the head are its trailer. Everything
/// counts against one limit, so that headers without an end do end.
struct HeadParser: Sendable {
  /// What became of a line.
  enum Step: Equatable {
    /// The head goes on, or the line was of the trailer.
    case more
    /// The head is complete.
    case complete
    /// The limit is passed.
    case tooLarge
    /// It is not a head of HTTP.
    case malformed
  }

  /// The head, once complete; a trailer's fields join it.
  private(set) var head: ResponseHead?
  private var pending: ResponseHead?
  private let limit: Int
  private var count = 0

  /// A parser that takes so many bytes in all.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes one whole line, its end included.
  mutating func take(_ line: some Collection<UInt8>) -> Step {
    count += line.count
    guard count <= limit else { return .tooLarge }
    let text = String(decoding: line, as: UTF8.self)
    let content = text.prefix { !$0.isNewline }
    if head == nil, content.hasPrefix("HTTP/") {
      pending = Self.statusLine(content)
      return pending == nil ? .malformed : .more
    }
    if head != nil {
      Self.add(content, to: &head)
      return .more
    }
    guard let pending else { return .malformed }
    guard content.isEmpty else {
      Self.add(content, to: &self.pending)
      return .more
    }
    self.pending = nil
    // 101 never comes: nothing asks for it.
    guard pending.status >= 200 else { return .more }
    head = pending
    return .complete
  }

  private static func statusLine(_ line: Substring) -> ResponseHead? {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[1].utf8.count == 3, let status = Decimal.number(words[1]),
      status >= 100
    else { return nil }
    return ResponseHead(version: String(words[0].dropFirst(5)), status: Int(status), fields: [])
  }

  private static func add(_ line: Substring, to head: inout ResponseHead?) {
    if let first = line.first, first == " " || first == "\t" {
      // A folded line (RFC 9112, section 5.2) goes on with the field before it.
      if let last = head?.fields.indices.last {
        head?.fields[last].value += " \(trimmed(line))"
      }
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
