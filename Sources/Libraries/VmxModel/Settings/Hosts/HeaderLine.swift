/// A header line that a person wants to be sent.
struct HeaderLine: Sendable, Equatable {
  /// `Name: value`.
  let text: String

  /// Headers that say which bytes of a file are wanted and how the connection is used: set from
  /// outside they would spoil files.
  private static let own: Set<String> = [
    "accept-encoding", "range", "if-range", "if-match", "if-none-match", "if-modified-since",
    "if-unmodified-since", "want-repr-digest", "content-length", "transfer-encoding", "te",
    "trailer", "connection", "upgrade", "expect", "host",
  ]

  /// Reads `Name: value` (RFC 9110, section 5); nil where it is none, or one of our own.
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
