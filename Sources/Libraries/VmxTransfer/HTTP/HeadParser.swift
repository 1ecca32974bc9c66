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
}
