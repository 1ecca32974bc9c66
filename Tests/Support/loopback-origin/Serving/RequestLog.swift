import Glibc
import Synchronization
import VmxModel

/// The log of requests: one JSON line each, appended with one write when the answer has ended.
final class RequestLog: Sendable {
  private let descriptor: Int32?
  private let start = Moment.now

  init(path: String?) throws(OriginProblem) {
    guard let path else {
      descriptor = nil
      return
    }
    let opened = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard opened >= 0 else { throw .system("open", path) }
    descriptor = opened
  }

  /// Adds a line. `ms` is when the request came, since the start of the origin; `sent` counts
  /// body bytes given to the kernel, `from` is the offset in the file at which they begin.
  func record(_ request: RequestHead, _ visit: Visit, _ reply: Reply?, _ outcome: Outcome) {
    var line = JSONObject()
    line.append("ms", .integer(visit.started - start))
    line.append("took", .integer(Moment.now - visit.started))
    line.append("connection", .integer(Int64(visit.connection)))
    line.append("port", .integer(Int64(visit.port)))
    line.append("method", request.method)
    line.append("path", request.path)
    line.append("target", request.target)
    line.append("body", request.body.isEmpty ? nil : String(decoding: request.body, as: UTF8.self))
    line.append("type", request["content-type"])
    line.append("range", request["range"])
    line.append("if_range", request["if-range"])
    line.append("authorization", .bool(request["authorization"] != nil))
    let scheme = request["authorization"]?.split(separator: " ").first
    line.append("scheme", scheme.map(String.init))
    line.append("cookie", .bool(request["cookie"] != nil))
    line.append("user_agent", request["user-agent"])
    line.append("accept_encoding", request["accept-encoding"])
    line.append("faults", .array(outcome.faults.map { .string($0) }))
    line.append("http2", request.isOfStream ? .bool(true) : nil)
    line.append("early", outcome.early ? .bool(true) : nil)
    line.append("status", reply.map { .integer(Int64($0.status)) })
    line.append("from", reply.map { .integer($0.range.lowerBound) })
    line.append("sent", .integer(outcome.sent))
    line.append("ended", outcome.ended.rawValue)
    write(line)
  }

  /// Adds a line for a connection that came to no TLS.
  func recordFailedHandshake(at port: UInt16) {
    var line = JSONObject()
    line.append("ms", .integer(Moment.now - start))
    line.append("port", .integer(Int64(port)))
    line.append("handshake", "failed")
    write(line)
  }

  private func write(_ line: JSONObject) {
    guard let descriptor else { return }
    var bytes: [UInt8] = []
    JSONWriter.append(line, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }
}

/// How an answer ended.
struct Outcome {
  enum Ended: String {
    /// All of the answer was sent.
    case whole
    /// The rules broke it off.
    case cut
    case reset
    /// Nothing more is sent.
    case stalled
    /// The client went away first.
    case abandoned
  }

  var ended = Ended.whole
  /// Body bytes that were given to the kernel.
  var sent: Int64 = 0
  /// The rules that acted, as they were written.
  var faults: [String] = []
  /// The request came before the time that `Retry-After` had named.
  var early = false
}
