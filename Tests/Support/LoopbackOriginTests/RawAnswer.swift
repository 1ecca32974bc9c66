import Glibc
import SystemPackage

/// All bytes received on a separate connection until it ended.
struct RawAnswer {
  enum End: Equatable {
    case finished
    case reset
  }

  let end: End
  let body: [UInt8]
  private let head: [Substring]

  /// Requests a target from an origin, `http://127.0.0.1:PORT`.
  init(from origin: String, _ target: String, _ fields: [String]) throws {
    guard let port = origin.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw Errno.invalidArgument
    }
    let descriptor = try Self.connect(to: port)
    defer { close(descriptor) }
    let lines = ["GET \(target) HTTP/1.1", "Host: test", "Connection: close"] + fields
    let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
      throw Errno(rawValue: errno)
    }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    var count = recv(descriptor, &piece, piece.count, 0)
    while count > 0 {
      bytes += piece[..<count]
      count = recv(descriptor, &piece, piece.count, 0)
    }
    end = count == 0 ? .finished : .reset
    let mark = Array("\r\n\r\n".utf8)
    let split = bytes.firstRange(of: mark) ?? bytes.endIndex..<bytes.endIndex
    head = String(decoding: bytes[..<split.lowerBound], as: UTF8.self).split(separator: "\r\n")
    body = Array(bytes[split.upperBound...])
  }

  /// The status code, as text.
  var status: String {
    let words = head.first?.split(separator: " ") ?? []
    return words.count > 1 ? String(words[1]) : ""
  }

  /// The value of a header field by its lower-case name.
  subscript(name: String) -> String? {
    let line = head.dropFirst().first { $0.lowercased().hasPrefix("\(name):") }
    return line.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
  }

  private static func connect(to port: UInt16) throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw Errno(rawValue: errno)
    }
    return descriptor
  }
}
