import Glibc

/// A socket that listens on the loopback interface.
package struct Listener {
  /// The port.
  package let port: UInt16
  private let descriptor: Int32

  /// Listens on a free port.
  package init() throws(BackendProblem) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, pointer, &length) == 0
      }
    }
    guard descriptor >= 0, isBound else { throw BackendProblem("no port can be had") }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Waits for a connection.
  package func accept() -> Int32 {
    while true {
      let connection = Glibc.accept(descriptor, nil, nil)
      if connection >= 0 { return connection }
    }
  }
}

/// One request.
package struct Request: Sendable {
  /// The method.
  package let method: String
  /// The decoded path.
  package let path: String
  /// The decoded query parameters.
  package let values: [String: String]
  /// The value of the `Authorization` header field.
  package let authorization: String?
  /// The body.
  package let body: [UInt8]

  /// Reads a request; returns nil if the bytes are not one.
  package init?(_ connection: Int32) {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while !bytes.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
      guard bytes.count < 65_536, recv(connection, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count == 3 else { return nil }
    method = String(words[0])
    let halves = words[1].split(separator: "?", maxSplits: 1)
    path = Self.decoded(halves.first ?? "/")
    var values: [String: String] = [:]
    for pair in halves.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(sides[0])] = Self.decoded(sides.dropFirst().first ?? "")
    }
    self.values = values
    func field(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix("\(name):") }.map {
        String($0.dropFirst(name.count + 1).drop { $0 == " " })
      }
    }
    authorization = field("authorization")
    var rest = field("content-length").flatMap { Int($0) } ?? 0
    var body: [UInt8] = []
    while rest > 0 {
      var piece = [UInt8](repeating: 0, count: min(rest, 65_536))
      let count = recv(connection, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      body += piece[..<count]
      rest -= count
    }
    self.body = body
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A response.
package struct Answer: Sendable {
  /// The status code.
  package var status = 200
  /// The media type.
  package var type = "application/json"
  /// The body.
  package var body: [UInt8]
  /// Additional header fields.
  package var fields: [String] = []

  /// Creates a response with a text as its body.
  package init(_ body: String, status: Int = 200) {
    self.body = Array(body.utf8)
    self.status = status
  }

  /// A web page.
  package static var page: Answer {
    var page = Answer("<!DOCTYPE html><html><body>Welcome to the hotel</body></html>")
    page.type = "text/html"
    return page
  }

  /// Sends the response, or only its first half. The connection ends with it.
  package func send(to connection: Int32, isCut: Bool = false) {
    let head =
      "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
      + fields.map { "\($0)\r\n" }.joined() + "Connection: close\r\n\r\n"
    let bytes = Array(head.utf8) + (isCut ? Array(body.prefix(body.count / 2)) : body)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, 0)
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
