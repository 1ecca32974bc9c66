import VmxLibrary
import VmxModel

/// Fetches one small document into memory.
///
/// Redirects, credentials, retries, `Retry-After`, host budgets, codings, permitted addresses and
/// redaction are those of parts: the same chain in the same session sends the requests.
struct DocumentFetch {
  private let request: HTTPRequest
  private let session: TransferSession

  init(_ request: HTTPRequest, _ session: TransferSession) {
    self.request = request
    self.session = session
  }

  /// Fetches the document with retries.
  ///
  /// - Throws: `TransferError`.
  func perform() throws(TransferError) -> HTTPResponse {
    guard let url = RequestURL(request.url) else {
      throw .unsupported(url: URLRedaction.redacted(request.url))
    }
    var chain = RequestChain(session: session, request: request, url: url)
    if request.credentials?.isPreemptive == true { chain.authentication = .basic }
    if let key = request.idempotencyKey {
      let field = "\(key.name): \(key.value)"
      guard !field.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
        throw .invalidSettings(detail: "a header field has control characters")
      }
      chain.fields.append(field)
    }
    if !request.accepts.isEmpty {
      chain.fields.append("Accept: \(request.accepts.joined(separator: ", "))")
    }
    if request.method == .get {
      let known = request.validators
      if let etag = known.etag { chain.fields.append("If-None-Match: \(etag)") }
      if let date = known.lastModified { chain.fields.append("If-Modified-Since: \(date)") }
    }
    session.engine.hosts.acquire(url.origin)
    defer { session.engine.hosts.release(url.origin) }
    var budget = RetryBudget(session.settings, best: 0)
    while true {
      do throws(TransferError) {
        return try attempt(chain)
      } catch {
        guard !error.isSourceIndependent, isRetryable(after: error),
          case .retry(let delay, let attempt) = session.verdict(of: &budget, after: error, held: 0)
        else { return try response(error) }
        try session.pause(delay, attempt: attempt, after: error)
      }
    }
  }

  /// Whether the request may be sent again: it is repeatable, or had no effect because the server
  /// was not reached or refused it.
  private func isRetryable(after error: TransferError) -> Bool {
    switch error {
    case .unreachable, .rateLimited: true
    default: request.isRepeatable
    }
  }

  /// Returns the response for a failed status that the caller accepts.
  ///
  /// - Throws: every other failure.
  private func response(_ error: TransferError) throws(TransferError) -> HTTPResponse {
    guard request.acceptedStatuses == .all, let status = error.responseStatus else { throw error }
    var response = HTTPResponse(status: status, bytes: [], url: request.url)
    response.retryAfter = error.retryAt.map { max(0, $0.milliseconds - session.now.milliseconds) }
    return response
  }

  private func attempt(_ chain: RequestChain) throws(TransferError) -> HTTPResponse {
    if let error = session.penalty(of: chain.url) { throw error }
    try session.waitForRateLimit(of: chain.url)
    let response = try chain.response(to: .fullFile, .gzip)
    let head = response.head
    if head.status < 400 { session.engine.memory.speedUp(response.url.origin.name) }
    switch head.status {
    case 200...203: break
    case 204 where request.method != .get: break
    case 304 where request.validators != Validators():
      response.transfer.discard()
      return document([], of: response)
    case 400..<500
    where request.acceptedStatuses != .successes
      && ![401, 407, 408, 425, 429].contains(head.status):
      break
    default:
      throw response.refusal(session)
    }
    do throws(TransferError) {
      let limit = request.limit.bytes
      return document(try response.body(limit, session), of: response)
    } catch {
      session.loop.cancel(response.transfer)
      throw error
    }
  }

  private func document(_ bytes: [UInt8], of response: Response) -> HTTPResponse {
    let version = response.head.sourceVersion
    var document = HTTPResponse(
      status: response.head.status, bytes: bytes, url: response.url.text)
    document.movedTo = response.movedTo?.text
    document.validators = version.validators
    document.validators.date = nil
    document.charset = version.charset
    document.date = response.head["date"].flatMap(Timestamp.init(httpDate:))
    document.isFromPrivate = response.transfer.isPeerInner
    return document
  }
}
