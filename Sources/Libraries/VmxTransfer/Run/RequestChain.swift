import VmxModel

/// The requests for one URL of a source and for its redirect targets.
///
/// Credentials are sent to the origin of the source's own URL and to no other. Cookies that a
/// redirect sets are sent back to its origin, whatever their Domain, and forgotten at the end of
/// the chain.
struct RequestChain {
  /// The content codings that a request accepts.
  enum Coding {
    /// Requests identity.
    case identity
    /// Requests identity and refuses every other coding.
    case identityOnly
    /// Decodes every coding that libcurl knows.
    case any
    /// Requests gzip, which marks its own end, and decodes like `any`.
    case gzip
  }

  let session: TransferSession
  /// The request to the source's own URL.
  let request: HTTPRequest
  let url: RequestURL
  /// The header lines of each request.
  var fields: [String] = []
  /// Whether to prefer HTTP/1.1, whose last chunk is visible.
  var showsLastChunk = false
  /// The scheme by which user and password are sent; nil for the one that the origin has chosen.
  var authentication: Authentication?

  /// Sends a request and follows redirects until a response arrives; the caller has to receive,
  /// discard or abandon its body.
  func response(to plan: RangePlan, _ coding: Coding) throws(TransferError) -> Response {
    var request = ChainRequest(plan, chain: self, coding: coding)
    while true {
      let event: HTTPTransfer.Event?
      do throws(TransferError) {
        event = try session.event(of: request.transfer)
      } catch {
        session.loop.cancel(request.transfer)
        throw error
      }
      switch event {
      case .head(let head):
        session.observer.responseReceived(request.url.origin.name)
        if let time = head.serverTime { session.engine.clock.receive(witness: time) }
        if let response = try request.receive(head) { return response }
      case .end(.codingMeaningless) where self.request.method == .get:
        request.resendUndecoded()
      case .end(let end): throw session.error(end, of: request.url, hasHead: false)
      case .body, nil: continue
      }
    }
  }

  /// Sends one request, to the source's URL or to the target of a redirect.
  ///
  /// - Parameter http: the request with the changes of the redirects so far.
  fileprivate func begin(
    _ http: HTTPRequest, to url: RequestURL, plan: RangePlan, coding: Coding,
    cookies: [String] = []
  ) -> HTTPTransfer {
    var request = CurlRequest(http, to: url)
    request.decodes = coding == .any || coding == .gzip
    request.cookies = cookies
    request.showsLastChunk = showsLastChunk
    request.isProxied = session.settings.isProxied(url.origin)
    switch coding {
    case .identity: request.fields.append("Accept-Encoding: identity")
    case .identityOnly: request.fields.append("Accept-Encoding: identity, *;q=0")
    case .any: break
    // Replaces the field that libcurl would make from its own list.
    case .gzip: request.fields.append("Accept-Encoding: gzip")
    }
    request.fields.append("Want-Repr-Digest: sha-256=10, sha-512=5")
    if let range = plan.rangeField { request.fields.append("Range: \(range)") }
    if let validator = plan.ifRangeField { request.fields.append("If-Range: \(validator)") }
    request.fields += fields
    request.isOfSource = url.origin == self.url.origin
    if request.isOfSource {
      request.authentication =
        authentication ?? session.engine.authentications.scheme(url.origin, http.method)
    } else {
      request.http.credentials = nil
    }
    let transfer = HTTPTransfer(
      request, headerLimit: session.settings.headerLimit, settings: session.ownSettings,
      pool: session.loop.bufferPool, changes: session.changes)
    guard !request.isProxied || http.allowsPrivateAddresses || !url.isInner else {
      transfer.finish(.addressRefused)
      return transfer
    }
    session.requests += 1
    session.sent = session.now
    session.loop.submit(transfer)
    if session.requests == 1 { session.observer.requestSent() }
    return transfer
  }
}

/// One request of a chain, and after each redirect the next one.
struct ChainRequest {
  /// The requested range and its condition.
  let plan: RangePlan
  /// The URL of the current request.
  private(set) var url: RequestURL
  /// The current request.
  private(set) var transfer: HTTPTransfer

  private let chain: RequestChain
  private var coding: RequestChain.Coding
  /// The request with the changes of the redirects so far.
  private var http: HTTPRequest
  private var followed = 0
  /// The target of the permanent redirects at the start of the chain.
  private var movedTo: RequestURL?
  /// The cookies of each origin that has redirected.
  private var cookies: [RequestURL.Origin: [String]] = [:]

  /// Sends the request of a plan to the source's own URL.
  init(_ plan: RangePlan, chain: RequestChain, coding: RequestChain.Coding = .identity) {
    self.plan = plan
    self.chain = chain
    self.coding = coding
    url = chain.url
    http = chain.request
    transfer = chain.begin(http, to: url, plan: plan, coding: coding)
  }

  /// Processes the response head that has arrived.
  ///
  /// - Returns: the response; nil for a redirect, which is followed by another request.
  mutating func receive(_ head: ResponseHead) throws(TransferError) -> Response? {
    if let request = try resend(after: head) {
      transfer = request
      return nil
    }
    guard RedirectPolicy.isRedirect(head.status) else {
      return Response(
        transfer: transfer, head: head, url: url, redirects: followed, movedTo: movedTo)
    }
    transfer.discard()
    cookies[url.origin] = transfer.cookies
    let settings = chain.session.settings
    let policy = RedirectPolicy(
      limit: settings.maxRedirects, allowsDowngrade: settings.allowsDowngrade)
    switch policy.verdict(from: url, location: head["location"], followed: followed) {
    case .follow(let next): try follow(next, head.status)
    case .refuse(let to): throw .redirectRefused(url: url.redacted, to: to)
    case .tooMany: throw .redirectLoop(url: chain.url.redacted, count: policy.limit)
    }
    if let error = chain.session.penalty(of: url) { throw error }
    try chain.session.waitForRateLimit(of: url)
    // A redirect from a public address never leads to a loopback or private one.
    http.allowsPrivateAddresses = transfer.isPeerInner
    transfer = chain.begin(
      http, to: url, plan: plan, coding: coding, cookies: cookies[url.origin] ?? [])
    return nil
  }

  /// Sends the request again if the origin accepts user and password by another scheme.
  private func resend(after head: ResponseHead) throws(TransferError) -> HTTPTransfer? {
    let request = transfer.request
    guard request.http.credentials != nil,
      let next = request.authentication.next(after: head, challenge: transfer.challenge)
    else { return nil }
    chain.session.engine.authentications.record(next.scheme, of: url.origin)
    guard next.isRepeated else { return nil }
    transfer.discard()
    try chain.session.waitForRateLimit(of: url)
    return chain.begin(http, to: url, plan: plan, coding: coding, cookies: request.cookies)
  }

  /// Sends the request again without decoding the response.
  mutating func resendUndecoded() {
    coding = .identity
    transfer = chain.begin(
      http, to: url, plan: plan, coding: coding, cookies: transfer.request.cookies)
  }

  private mutating func follow(_ next: RequestURL, _ status: Int) throws(TransferError) {
    if RedirectPolicy.becomesGet(status, http.method) {
      (http.method, http.body) = (.get, nil)
    } else if http.body != nil, next.origin != chain.url.origin {
      // A body may contain secrets, which stay with their origin as credentials do.
      throw .redirectRefused(url: url.redacted, to: next.redacted)
    }
    if [301, 308].contains(status), url == movedTo ?? chain.url { movedTo = next }
    url = next
    followed += 1
  }
}

/// A response head whose body is still to be received, discarded or abandoned.
struct Response {
  let transfer: HTTPTransfer
  let head: ResponseHead
  /// The URL of the response.
  let url: RequestURL
  /// The number of redirects followed.
  let redirects: Int
  /// The target of the permanent redirects at the start of the chain; nil if there is none.
  let movedTo: RequestURL?

  /// Ends a response of an unusable status, and returns its failure.
  func refusal(_ session: TransferSession) -> TransferError {
    let until = resets(session)
    let failure = failure(session)
    if let until, until > session.now, failure.retryAt == nil,
      let status = failure.responseStatus
    {
      return .usedUp(url: url.redacted, status: status, until: until)
    }
    return failure
  }

  /// Maps an unusable status to a transfer error, and records the host's Retry-After and the reset
  /// of its RateLimit policy.
  private func failure(_ session: TransferSession) -> TransferError {
    let shown = url.redacted
    if head.status == 204 || head.status == 205 { return .emptyBody(url: shown) }
    if head.status == 403, redirects == 0, url.hasSignature { return .signatureRefused(url: shown) }
    guard StatusClassification(head.status).isTransient else {
      return .status(url: shown, head.status)
    }
    session.ignoresRetryAfter = false
    session.refusing = url.origin.name
    let cap = session.settings.retryAfterBelieved
    let asked = head.retryAfter(now: session.now, cap: cap) ?? head.rateLimitReset(cap: cap)
    guard asked != nil || head.status == 429 else { return .status(url: shown, head.status) }
    let until = asked.map { session.now.adding(milliseconds: $0) }
    if let asked { session.recordDelay(head, of: url, wait: asked) }
    return .rateLimited(url: shown, status: head.status, until: until)
  }
}
