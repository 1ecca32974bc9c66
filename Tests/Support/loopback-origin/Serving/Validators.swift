/// The ETag and Last-Modified of one response.
struct Validators {
  let tag: String?
  let modified: String?
  private let hasDate: Bool

  init(of file: OpenFile, _ version: Version) {
    switch version.tag {
    case .right: tag = "\"\(file.identity)\""
    case .none: tag = nil
    case .weak: tag = "W/\"\(file.identity)\""
    case .fixed(let text): tag = text
    case .varied(let number): tag = "\"\(file.identity)-\(number)\""
    }
    switch version.modified {
    case .right: modified = HTTPDate.text(file.modified)
    case .none: modified = nil
    case .now: modified = HTTPDate.text(HTTPDate.now)
    case .fixed(let moment): modified = HTTPDate.text(Int(moment))
    }
    hasDate = version.hasDate
  }

  /// The header fields.
  var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    if hasDate { fields.append(("Date", HTTPDate.text(HTTPDate.now))) }
    if let tag { fields.append(("ETag", tag)) }
    if let modified { fields.append(("Last-Modified", modified)) }
    return fields
  }

  /// Whether the client already has this version (If-None-Match, otherwise If-Modified-Since).
  func areKnown(to request: RequestHead) -> Bool {
    if let known = request["if-none-match"] {
      guard let tag else { return false }
      let strong = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
      return known == "*" || known.contains(strong)
    }
    return modified != nil && request["if-modified-since"] == modified
  }

  /// Whether a range may be sent: there is no If-Range, or it names this version.
  func allowRange(for request: RequestHead) -> Bool {
    guard let condition = request["if-range"] else { return true }
    if condition.hasPrefix("\"") { return condition == tag }
    return condition == modified
  }
}
