/// The way in which the end of a body is indicated.
struct Framing: Sendable {
  enum Kind: Sendable {
    /// Content-Length.
    case length
    case chunked
    /// HTTP/1.1 without a length: the body ends with the connection.
    case untilClose
    /// HTTP/1.0 without a length: the body ends with the connection.
    case http10
  }

  var kind = Kind.length
  /// Whether the last chunk is omitted.
  var lacksLastChunk = false
  /// The number of bytes after which an invalid chunk is sent.
  var brokenChunkAt: Int64?
  /// The length of the chunk extension of each chunk in bytes.
  var extensionLength = 0
  /// A literal Content-Length.
  var length: String?
  /// The number added to the correct Content-Length.
  var lengthError: Int64 = 0
  /// Whether a second Content-Length is sent, greater by one than the first.
  var secondLength = false
  /// Whether the connection ends without the close_notify of TLS.
  var isUnannounced = false
  /// Whether `Connection: close` is sent.
  var closes = false

  static let words: [FaultWord] = [
    FaultWord("chunked", "", "send the body in chunks") { behaviour, _ in
      behaviour.framing.kind = .chunked
    },
    FaultWord("chunked-open", "", "in chunks, the last one is missing") { behaviour, _ in
      behaviour.framing.kind = .chunked
      behaviour.framing.lacksLastChunk = true
    },
    FaultWord("chunked-broken", "BYTES", "in chunks, nonsense after BYTES") {
      $0.framing.kind = .chunked
      $0.framing.brokenChunkAt = try $1.integer(0)
    },
    FaultWord("chunk-extension", "BYTES", "in chunks, each with an extension of BYTES") {
      $0.framing.kind = .chunked
      $0.framing.extensionLength = Int(try $1.integer(0))
    },
    FaultWord("no-length", "", "no length, the end of the connection tells") { behaviour, _ in
      behaviour.framing.kind = .untilClose
    },
    FaultWord("http10", "", "HTTP/1.0 without length") { behaviour, _ in
      behaviour.framing.kind = .http10
    },
    FaultWord("length", "TEXT", "send this Content-Length") {
      $0.framing.length = try $1.text(0)
    },
    FaultWord("length-off", "BYTES", "Content-Length is wrong by so much") {
      $0.framing.lengthError = try $1.integer(0)
    },
    FaultWord("length-twice", "", "two different Content-Length fields") { behaviour, _ in
      behaviour.framing.secondLength = true
    },
    FaultWord("no-notify", "", "end TLS without close_notify") { behaviour, _ in
      behaviour.framing.isUnannounced = true
    },
    FaultWord("close", "", "end the connection after the answer") { behaviour, _ in
      behaviour.framing.closes = true
    },
  ]
}
