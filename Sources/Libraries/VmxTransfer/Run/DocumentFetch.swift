import VmxLibrary
import VmxModel

/// Fetches one small document into memory.
///
/// Redirects, credentials, retries, `Retry-After`, host budgets, codings, permitted addresses and
/// redaction are those of parts: the same chain in the same session sends the requests.
struct DocumentFetch {
  private let request: DocumentRequest
  private let session: TransferSession

  init(_ request: DocumentRequest, _ session: TransferSession) {
    self.request = request
    self.session = session
  }

  /// Fetches the document with retries.
  ///
  /// - Throws: `TransferError`.
  func perform() throws(TransferError) -> FetchedDocument {
    guard let url = RequestURL(request.source.url) else {
      throw .unsupported(url: URLRedaction.redacted(request.source.url))
    }
    var chain = RequestChain(session: session, source: request.source, url: url)
    chain.content = request.content
    if request.isAuthenticatedAtOnce { chain.authentication = .basic }
    guard request.fields.allSatisfy({ !$0.utf8.contains { $0 < 0x20 || $0 == 0x7f } }) else {
      throw .invalidSettings(detail: "a header field has control characters")
    }
    chain.fields += request.fields
    if !request.accepts.isEmpty {
      chain.fields.append("Accept: \(request.accepts.joined(separator: ", "))")
    }
    if request.content.method == .get, let known = request.validators {
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

  /// Whether the request may be sent again. A POST may have had its effect, unless the server was
  /// not reached or refused it (RFC 9110, section 9.2.2).
  private func isRetryable(after error: TransferError) -> Bool {
    switch error {
    case .unreachable, .rateLimited: true
    default:
      switch request.repetition {
      case .byMethod: request.content.method != .post
      case .always: true
      case .never: false
      }
    }
  }

  /// Returns the response for a failed status that the caller accepts.
  ///
  /// - Throws: every other failure.
  private func response(_ error: TransferError) throws(TransferError) -> FetchedDocument {
    guard request.acceptsAllStatuses, let status = error.responseStatus else { throw error }
    return FetchedDocument(
      bytes: [], isUnchanged: false, finalURL: request.source.url, validators: Validators(),
      charset: nil, movedTo: nil, isFromPrivate: false, status: status,
      retryAfter: error.retryAt.map { max(0, $0.milliseconds - session.now.milliseconds) })
  }

  private func attempt(_ chain: RequestChain) throws(TransferError) -> FetchedDocument {
    if let error = session.penalty(of: chain.url) { throw error }
    try session.waitForRateLimit(of: chain.url)
    let response = try chain.response(to: .fullFile, .gzip)
    let head = response.head
    if head.status < 400 { session.engine.memory.speedUp(response.url.origin.name) }
    switch head.status {
    case 200...203: break
    case 204 where request.content.method != .get: break
    case 304 where request.validators != nil:
      response.transfer.discard()
      return document([], isUnchanged: true, of: response)
    case 400..<500
    where request.acceptsClientErrors && ![401, 407, 408, 425, 429].contains(head.status):
      break
    default:
      throw response.refusal(session)
    }
    do throws(TransferError) {
      let limit = request.limit.bytes
      return document(try response.body(limit, session), isUnchanged: false, of: response)
    } catch {
      session.loop.cancel(response.transfer)
      throw error
    }
  }

  private func document(
    _ bytes: [UInt8], isUnchanged: Bool, of response: Response
  ) -> FetchedDocument {
    let version = response.head.sourceVersion
    return FetchedDocument(
      bytes: bytes, isUnchanged: isUnchanged, finalURL: response.url.text,
      validators: version.validators, charset: version.charset,
      movedTo: response.movedTo?.text, isFromPrivate: response.transfer.isPeerInner,
      status: response.head.status,
      date: response.head["date"].flatMap(Timestamp.init(httpDate:)))
  }
}
