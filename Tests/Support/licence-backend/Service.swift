import BackendWire
import Glibc
import Synchronization
import VmxModel

/// Responds to requests.
final class Service: Sendable {
  private let book: Mutex<LicenceRegister>
  private let log: RequestLog

  init(_ book: LicenceRegister, log: RequestLog) {
    self.book = Mutex(book)
    self.log = log
  }

  /// Serves one request of a connection.
  func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let request = Request(connection) else { return }
    log.add(request)
    var (end, date) = book.withLock { book in
      (Self.end(of: request, &book), Self.date(after: book.clockError))
    }
    if case .answer(var answer, let isCut) = end {
      answer.fields.append("Date: \(date)")
      end = .answer(answer, isCut: isCut)
    }
    end.perform(on: connection)
  }

  private static func end(of request: Request, _ book: inout LicenceRegister) -> End {
    let words = request.path.split(separator: "/").map(String.init)
    if words.count == 2, words[0] == "control" {
      return .answer(book.control(words[1], request.values))
    }
    if words == ["events"] { return end(ofEvents: request, &book) }
    guard words.count >= 2, words[0] == "licenses" else {
      return .answer(.problem(404, nil, "Nothing is here."))
    }
    let id = words[1]
    let call = words.count == 2 ? "license" : words[2]
    let fault = book.faults.next(of: call)
    switch fault {
    case "hang": return .hung
    case "fail": return .answer(.problem(503, "server", "Down."))
    case "gone": return .answer(.problem(404, "notfound", "No licence."))
    case "page":
      return .answer(.page)
    case "malformed": return .answer(Answer("{\"id\":\"\(id)\",\"status\":"))
    case "huge": return .answer(Answer("{\"x\":\"\(String(repeating: "x", count: 2 << 20))\"}"))
    case "deep": return .answer(Answer(String(repeating: "[", count: 20_000)))
    case "refuse": return .answer(.problem(403, call, "Refused."))
    case "no-type": return .answer(.problem(403, nil, "Forbidden"))
    case "downloads":
      return .answer(
        .problem(403, nil, "No downloads left.", more: ",\"resets\":\"2099-03-01T00:00:00Z\""))
    default: break
    }
    let answer = Self.answer(request, id, call, fault, &book)
    switch fault {
    case "lose": return .lost
    case "hang-after": return .hung
    default: return .answer(answer)
    }
  }

  private static func end(ofEvents request: Request, _ book: inout LicenceRegister) -> End {
    let fault = book.faults.next(of: "events")
    switch fault {
    case "hang": return .hung
    case "fail": return .answer(.problem(503, nil, "Down."))
    case "gone": return .answer(.problem(404, nil, "Nothing is here."))
    case "refuse": return .answer(.problem(401, nil, "Who are you?"))
    case "wait":
      var answer = Answer.problem(429, nil, "Not so fast.")
      answer.fields = ["Retry-After: 3600"]
      return .answer(answer)
    default: break
    }
    guard request.method == "POST" else { return .answer(.problem(405, nil, "Tell me events.")) }
    let spoiled = fault.flatMap { $0.hasPrefix("spoil:") ? String($0.dropFirst(6)) : nil }
    let answer = book.events.take(String(decoding: request.body, as: UTF8.self), spoiled: spoiled)
    switch fault {
    case "lose": return .lost
    case "hang-after": return .hung
    default: return .answer(answer)
    }
  }

  private static func answer(
    _ request: Request, _ id: String, _ call: String, _ fault: String?,
    _ book: inout LicenceRegister
  ) -> Answer {
    let methods = ["register": "POST", "return": "PUT", "renew": "PUT"]
    guard request.method == methods[call] ?? "GET" else {
      return .problem(405, nil, "The method is not allowed.")
    }
    guard request.body.isEmpty else { return .problem(400, call, "A body is not allowed.") }
    book.age(id)
    var refusal: Answer?
    switch call {
    case "register":
      refusal = book.register(
        id, device: request.values["id"] ?? "", name: request.values["name"] ?? "")
    case "return": refusal = book.returnLicence(id)
    case "renew": refusal = book.renew(id, end: request.values["end"])
    case "license", "status": break
    default: refusal = .problem(404, nil, "Nothing is here.")
    }
    if let refusal { return refusal }
    guard let licence = book.licences[id] else { return .problem(404, "notfound", "No licence.") }
    let other = fault == "other-id" ? "other" : nil
    guard call == "license" else {
      var status = Answer(
        licence.status(
          port: book.port, id: other, extra: fault == "twice" ? ",\"status\":\"revoked\"" : "",
          evil: fault == "evil-links"))
      status.type = "application/vnd.readium.license.status.v1.0+json"
      return status
    }
    let old = fault == "old" ? Timestamp(seconds: 1_000_000_000) : nil
    var answer = Answer(licence.document(port: book.port, id: other, changed: old))
    answer.type = "application/vnd.readium.lcp.license.v1.0+json"
    return answer
  }

  /// Returns the time as an HTTP date (RFC 9110, section 5.6.7).
  private static func date(after error: Int64) -> String {
    var seconds = time(nil) + Int(error)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
