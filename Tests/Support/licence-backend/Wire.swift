import Glibc
import Synchronization

/// A socket that listens on the loopback.
struct Listener {
  let port: UInt16
  private let descriptor: Int32

  init() throws(BackendProblem) {
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
  func accept() -> Int32 {
    while true {
      let connection = Glibc.accept(descriptor, nil, nil)
      if connection >= 0 { return connection }
    }
  }
}

/// One request: the head, the number of bytes of its body, and the body of one that tells events.
struct Request: Sendable {
  let method: String
  let path: String
  let values: [String: String]
  let bodyLength: Int
  let body: String

  /// Reads the head of a request; nil for anything else.
  init?(_ connection: Int32) {
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
    path = String(halves.first ?? "/")
    var values: [String: String] = [:]
    for pair in halves.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(sides[0])] = Self.decoded(sides.dropFirst().first ?? "")
    }
    self.values = values
    let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
    bodyLength = length.flatMap { Int($0.split(separator: ":")[1].filter(\.isNumber)) } ?? 0
    var content: [UInt8] = []
    while path == "/events", content.count < min(bodyLength, 1 << 20) {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      content.append(byte)
    }
    body = String(decoding: content, as: UTF8.self)
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"),
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

/// An answer.
struct Answer: Sendable {
  var status = 200
  var type = "application/vnd.readium.license.status.v1.0+json"
  var body: [UInt8]
  /// More header fields, each with its line end.
  var fields = ""

  init(_ body: String) { self.body = Array(body.utf8) }

  /// A problem document (RFC 9457); `type` is the part after Readium's prefix, nil for none.
  static func problem(
    _ status: Int, _ type: String?, _ title: String, more: String = ""
  ) -> Answer {
    let prefix = "http://readium.org/license-status-document/error/"
    let head = type.map { "\"type\":\"\(prefix)\($0)\"," } ?? ""
    var answer = Answer("{\(head)\"title\":\"\(title)\",\"status\":\(status)\(more)}")
    answer.status = status
    answer.type = "application/problem+json"
    return answer
  }

  /// Sends it; the connection ends with it.
  func send(to connection: Int32, date: String) {
    let head =
      "HTTP/1.1 \(status) X\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\n"
      + "Date: \(date)\r\n\(fields)Connection: close\r\n\r\n"
    var bytes = Array(head.utf8) + body
    while !bytes.isEmpty {
      let sent = Glibc.send(connection, bytes, bytes.count, 0)
      guard sent > 0 else { return }
      bytes.removeFirst(sent)
    }
  }
}

/// The log: one JSON line for each request, written before it is answered.
final class RequestLog: Sendable {
  private let descriptor: Int32

  init(_ path: String?) throws(BackendProblem) {
    guard let path else {
      descriptor = -1
      return
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw BackendProblem("'\(path)' cannot be opened") }
  }

  func add(_ request: Request) {
    guard descriptor >= 0 else { return }
    let keys = request.values.keys.sorted().map { "\"\($0)\"" }.joined(separator: ",")
    let line =
      "{\"method\":\"\(request.method)\",\"path\":\"\(request.path)\",\"keys\":[\(keys)]}\n"
    let bytes = Array(line.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}
