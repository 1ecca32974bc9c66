/// Assembles a response head from the header lines that libcurl delivers.
///
/// Informational responses (1xx) are skipped; lines after the head are its trailer. All lines count
/// towards one limit, so that endless headers are detected.
struct HeadParser: Sendable {
  /// The result of taking a line.
  enum Step: Equatable {
    /// The head continues, or the line belongs to the trailer.
    case more
    /// The head is complete.
    case complete
    /// The size limit is exceeded.
    case tooLarge
    /// The line is not valid in an HTTP head.
    case malformed
  }

  /// The head, once complete; the fields of a trailer are added to it.
  private(set) var head: ResponseHead?
  private var pending: ResponseHead?
  private let limit: Int
  private var count = 0

  /// Creates a parser that accepts this many bytes in total.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes one whole line, including its line end.
  mutating func take(_ line: some Collection<UInt8>) -> Step {
    count += line.count
    guard count <= limit else { return .tooLarge }
    let content = HeaderLine(line)
    if head == nil, let status = content.status {
      pending = Self.statusLine(status)
      return pending == nil ? .malformed : .more
    }
    if head != nil {
      content.add(to: &head)
      return .more
    }
    guard pending != nil else { return .malformed }
    guard content.isEmpty else {
      content.add(to: &pending)
      return .more
    }
    guard let pending = pending.take() else { return .malformed }
    // 101 never occurs: vmx never requests an upgrade.
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
}
