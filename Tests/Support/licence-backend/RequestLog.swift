import BackendWire
import Glibc

extension Answer {
  /// Returns a problem document (RFC 9457); `type` is the part after Readium's prefix, nil for
  /// none.
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
}

/// The log: one JSON line for each request, written before the response.
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
