import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// The least of HTTP/1.1 (RFC 9110) that a fetch needs: GET and HEAD, one range, one request on a
// connection. It listens on the loopback address alone and ends with the process.

/// The origin of the tutorial: a feed and its films, made when they are requested.
enum TutorialOrigin {
  private static let filmBytes = 1_500_000
  private static let head: [UInt8] =
    [0, 0, 0, 0x20] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isomiso2avc1mp41".utf8)
    + [0, 0, 0, 8] + Array("moov".utf8) + [0, 0, 0, 0] + Array("mdat".utf8)

  /// Starts the origin on a free port and returns the port.
  ///
  /// - Throws: `resources-short`.
  static func start() throws -> UInt16 {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard listener >= 0, isListening else {
      throw Failure(
        .resourcesShort, "cannot listen on 127.0.0.1: \(Errno(rawValue: errno).message)")
    }
    let port = UInt16(bigEndian: address.sin_port)
    _ = try WorkerThread.start("vmx-origin") {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        do throws(ProcessError) {
          _ = try WorkerThread.start("vmx-answer") { answer(connection, port) }
        } catch {
          close(connection)
        }
      }
    }
    return port
  }

  private static func answer(_ connection: CInt, _ port: UInt16) {
    defer { close(connection) }
    guard let request = request(on: connection) else { return }
    let words = request.split(separator: " ", maxSplits: 2)
    guard words.count == 3, ["GET", "HEAD"].contains(words[0]) else {
      return send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", to: connection)
    }
    guard let (type, body) = content(of: words[1], port) else {
      return send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", to: connection)
    }
    let range = range(in: request, of: body.count)
    var lines = [
      range == nil ? "HTTP/1.1 200 OK" : "HTTP/1.1 206 Partial Content",
      "Content-Type: \(type)", "Content-Length: \((range ?? 0..<body.count).count)",
      "Accept-Ranges: bytes", "ETag: \"\(body.count)\"", "Connection: close",
    ]
    if let range {
      lines.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)")
    }
    send(lines.joined(separator: "\r\n") + "\r\n\r\n", to: connection)
    if words[0] == "GET" { send(body[range ?? 0..<body.count], to: connection) }
  }

  /// Returns the head of a request; nil if the client ends before, or sends too much.
  private static func request(on connection: CInt) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 16 << 10, read(connection, &byte, 1) == 1 {
      bytes.append(byte)
      if bytes.suffix(4) == [13, 10, 13, 10] { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  /// Returns the range that a request asks for; nil for the whole body.
  private static func range(in request: String, of size: Int) -> Range<Int>? {
    let lines = request.split(separator: "\r\n")
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("range: bytes=") }) else {
      return nil
    }
    let ends = line.dropFirst(13).split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(ends[0]), 0..<size ~= first else { return nil }
    return first..<min(size, (Int(ends[1]) ?? size - 1) + 1)
  }

  private static func content(of path: Substring, _ port: UInt16) -> (String, [UInt8])? {
    switch path {
    case "/film.mp4", "/ferry.mp4", "/fog.mp4":
      let text = Array("This film\(path) belongs to vmx tutorial.\n".utf8)
      let filling = (0..<filmBytes / text.count).flatMap { _ in text }
      return ("video/mp4", head + filling)
    case "/feed.xml":
      let items = [("The ferry", "ferry"), ("Fog", "fog")].map { title, name in
        """
        <item><title>\(title)</title><guid isPermaLink="false">\(name)</guid>
        <enclosure url="http://127.0.0.1:\(port)/\(name).mp4" length="0" type="video/mp4"/></item>
        """
      }
      let text = "<rss version=\"2.0\"><channel><title>Harbour Talks</title>"
      return ("application/rss+xml", Array((text + items.joined() + "</channel></rss>").utf8))
    default: return nil
    }
  }

  private static func send(_ text: String, to connection: CInt) {
    send(Array(text.utf8)[...], to: connection)
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to connection: CInt) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
