import Synchronization

/// An HTTP/2 connection (RFC 9113) that responds to one request, then ends.
///
/// The bytes sent must fit into the client's windows: 32 MiB with libcurl.
struct StreamConnection {
  private static let preface = "SM\r\n\r\n".utf8.count

  private let wire: Wire
  private var received: [UInt8]

  /// - Parameter received: the bytes after `PRI * HTTP/2.0` and an empty line.
  init(_ wire: Wire, received: [UInt8]) {
    self.wire = wire
    self.received = received
  }

  /// Receives the first request; returns it with the wire for its response, or nil if none arrives.
  mutating func request() -> (head: RequestHead, wire: Wire)? {
    guard wire.send(Frame(.settings, stream: 0).bytes), need(Self.preface) else { return nil }
    received.removeFirst(Self.preface)
    while need(9) {
      let length = Int(received[0]) << 16 | Int(received[1]) << 8 | Int(received[2])
      guard need(9 + length) else { return nil }
      let (kind, flags, stream) = (received[3], received[4], received[8])
      let payload = received[9..<9 + length]
      defer { received.removeFirst(9 + length) }
      if kind == Frame.Kind.settings.rawValue, flags & 1 == 0 {
        guard wire.send(Frame(.settings, flags: 1, stream: 0).bytes) else { return nil }
      }
      if kind == Frame.Kind.headers.rawValue {
        // A priority of five bytes precedes the header block.
        let block = flags & 0x20 != 0 ? payload.dropFirst(5) : payload
        guard let head = Self.head(HeaderBlock.fields(of: block)) else { return nil }
        return (head, wire.answering(stream: stream))
      }
    }
    return nil
  }

  /// Receives until this many bytes are available; returns false if the peer has closed the
  /// connection.
  private mutating func need(_ count: Int) -> Bool {
    while received.count < count {
      guard wire.receive(into: &received) else { return false }
    }
    return true
  }

  private static func head(_ fields: [(name: String, value: String)]) -> RequestHead? {
    let method = fields.first { $0.name == ":method" }?.value ?? "GET"
    let path = fields.first { $0.name == ":path" }?.value ?? "/"
    let lines = fields.filter { !$0.name.hasPrefix(":") }.map { "\($0.name): \($0.value)" }
    let text = (["\(method) \(path) HTTP/2"] + lines).joined(separator: "\r\n") + "\r\n\r\n"
    return RequestHead(Array(text.utf8)[...])
  }
}

/// One frame of HTTP/2.
struct Frame {
  enum Kind: UInt8 {
    case data = 0
    case headers = 1
    case reset = 3
    case settings = 4
  }

  let bytes: [UInt8]

  init(_ kind: Kind, flags: UInt8 = 0, stream: UInt8, _ payload: some Collection<UInt8> = []) {
    let count = payload.count
    bytes =
      [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind.rawValue, flags]
      + [0, 0, 0, stream] + payload
  }
}

/// Converts the bytes of a response to the frames of a stream.
final class AnswerFrames: Sendable {
  private static let largest = 16_384

  private let stream: UInt8
  /// The bytes of the head so far; nil once the head is complete.
  private let head = Mutex<[UInt8]?>([])

  init(stream: UInt8) { self.stream = stream }

  /// Returns the frames for the next bytes of the response.
  func frames(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    head.withLock { head in
      var body = Array(bytes)[...]
      var frames: [UInt8] = []
      if var known = head {
        known += body
        guard let end = RequestHead.end(in: known) else {
          head = known
          return []
        }
        head = nil
        frames = Frame(.headers, flags: 4, stream: stream, Self.block(known[..<end])).bytes
        body = known[end...]
      }
      while !body.isEmpty {
        frames += Frame(.data, stream: stream, body.prefix(Self.largest)).bytes
        body = body.dropFirst(Self.largest)
      }
      return frames
    }
  }

  /// Returns the frame that ends the stream: END_STREAM, or RST_STREAM without an error for a cut
  /// response.
  func end(isWhole: Bool) -> [UInt8] {
    isWhole
      ? Frame(.data, flags: 1, stream: stream).bytes
      : Frame(.reset, stream: stream, [0, 0, 0, 0]).bytes
  }

  private static func block(_ head: ArraySlice<UInt8>) -> [UInt8] {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let status = lines.first?.split(separator: " ").dropFirst().first ?? "500"
    return lines.dropFirst().reduce(HeaderBlock.encode(":status", String(status))) { block, line in
      let sides = line.split(separator: ":", maxSplits: 1)
      let name = sides[0].lowercased()
      guard sides.count == 2, !["connection", "transfer-encoding"].contains(name) else {
        return block
      }
      return block + HeaderBlock.encode(name, String(sides[1].drop { $0 == " " }))
    }
  }
}
