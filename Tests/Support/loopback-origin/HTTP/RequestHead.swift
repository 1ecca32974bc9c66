/// A request line and its header fields.
struct RequestHead: Sendable {
  let method: String
  /// The request target as received: path and query.
  let target: String
  /// The path, percent-decoded.
  let path: String
  /// The names and raw values of the query parameters, in order.
  let query: [(name: String, value: String)]
  /// Whether the request was received by HTTP/2.
  let isOfStream: Bool
  private let fields: [(name: String, value: String)]
  /// The bytes after the head.
  var body: [UInt8] = []

  /// Returns the end of the first head, after its empty line.
  static func end(in bytes: [UInt8]) -> Int? {
    let mark = Array("\r\n\r\n".utf8)
    guard bytes.count >= mark.count else { return nil }
    return (0...(bytes.count - mark.count)).first {
      bytes[$0..<($0 + mark.count)].elementsEqual(mark)
    }.map { $0 + mark.count }
  }

  /// Parses a head; returns nil if its first line is not a request line.
  init?(_ head: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    method = String(words[0])
    target = String(words[1])
    isOfStream = words[2] == "HTTP/2"
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = PercentCoding.decoded(Self.path(in: halves.first ?? ""))
    query = (halves.count == 2 ? halves[1] : "").split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
    }
    fields = lines.dropFirst().compactMap { line in
      let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else { return nil }
      return (sides[0].lowercased(), String(sides[1].drop { $0 == " " }))
    }
  }

  /// Returns the path; requests to a proxy contain a whole URL (RFC 9112, section 3.2.2).
  private static func path(in target: Substring) -> Substring {
    guard target.hasPrefix("http://") else { return target }
    return target.dropFirst(7).drop { $0 != "/" }
  }

  /// The value of a field by its lower-case name.
  subscript(name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// The first raw value of a query parameter.
  func parameter(_ name: String) -> String? {
    query.first { $0.name == name }?.value
  }
}

/// Percent-coding as in URLs (RFC 3986).
enum PercentCoding {
  /// Returns the text with each `%XX` replaced by its byte; invalid sequences stay unchanged.
  static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(
          String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
