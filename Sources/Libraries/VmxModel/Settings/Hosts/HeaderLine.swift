/// A request header line that the user configured.
struct HeaderLine: Sendable, Equatable {
  /// The line, `Name: value`.
  let text: String

  /// The headers that select the bytes of a file or control the connection. Setting them from
  /// outside would corrupt files.
  private static let own: Set<String> = [
    "accept-encoding", "range", "if-range", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since", "want-repr-digest", "content-length", "transfer-encoding", "te",
    "trailer", "connection", "upgrade", "expect", "host",
  ]

  /// Parses `Name: value` (RFC 9110, section 5); nil for a malformed line or a header that vmx
  /// sets.
  init?(_ line: String) {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = line[..<colon]
    let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    guard !name.isEmpty, !value.isEmpty, name.utf8.allSatisfy(Self.isToken),
      value.unicodeScalars.allSatisfy({ $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7F }),
      !Self.own.contains(name.lowercased())
    else { return nil }
    text = "\(name): \(value)"
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    PercentCoding.isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
