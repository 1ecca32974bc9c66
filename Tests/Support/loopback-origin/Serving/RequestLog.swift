import Glibc
import Synchronization
import VmxModel

/// The log of requests: one JSON line each, appended with a single write at the end of the
/// response.
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

  /// Appends a line. `arrival` is the number of the request in the order of arrival; lines are in
  /// the order in which the responses ended, which differs with several connections.
  ///
  /// `ms` is the time of the request since the start of the origin. `sent` is the number of body
  /// bytes passed to the kernel, and `from` the offset in the file at which they begin.
  func record(_ request: RequestHead, _ visit: Visit, _ reply: Reply?, _ outcome: Outcome) {
    var line = JSONObject()
    line.append("arrival", .integer(Int64(visit.number)))
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

  /// Appends a line for a connection whose TLS handshake failed.
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

/// The end of a response.
struct Outcome {
  enum Ended: String {
    /// The complete response was sent.
    case whole
    /// A rule cut the response.
    case cut
    case reset
    /// Nothing more is sent.
    case stalled
    /// The client closed the connection first.
    case abandoned
  }

  var ended = Ended.whole
  /// The number of body bytes passed to the kernel.
  var sent: Int64 = 0
  /// The rules that were applied, as written.
  var faults: [String] = []
  /// Whether the request arrived before the time named by `Retry-After`.
  var early = false
}
