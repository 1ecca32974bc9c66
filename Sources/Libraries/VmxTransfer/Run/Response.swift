import SystemPackage
import VmxModel

/// A response head whose body is still to be received, discarded or abandoned.
struct Response {
  let transfer: HTTPTransfer
  let head: ResponseHead
  /// The URL of the response.
  let url: RequestURL
  /// The number of redirects followed.
  let redirects: Int

  /// Maps an unusable status to a transfer error, and records the host's Retry-After.
  func failure(_ context: RunContext) -> TransferError {
    let url = url.shown
    if head.status == 204 || head.status == 205 { return .emptyBody(url: url) }
    guard StatusMeaning(head.status).isPassing else { return .status(url: url, head.status) }
    let now = context.clock.now
    let asked = head.retryAfter(now: now, cap: context.settings.retryAfterBelieved)
    guard asked != nil || head.status == 429 else { return .status(url: url, head.status) }
    let until = asked.map { now.adding(milliseconds: $0) }
    if let asked {
      context.wantsQuiet(self.url.origin, for: asked, status: head.status)
    }
    return .rateLimited(url: url, status: head.status, until: until)
  }
}

/// Sends requests to one source and follows its redirects.
///
/// Credentials are sent to the origin of the source's own URL and to no other.
struct RequestChain {
  let context: RunContext
  let source: TransferSource
  let url: RequestURL

  /// Sends the request of a plan; the caller has to receive, discard or abandon the body.
  ///
  /// - Parameters:
  ///   - decodes: whether content codings are decoded.
  ///   - insists: whether the request accepts no other coding than identity.
  ///   - connections: the connections served while waiting for the response.
  func ask(
    _ plan: RangePlan, decodes: Bool, insists: Bool, _ connections: ConnectionGroup,
    _ part: inout PartialDownload
  ) throws(TransferError) -> Response {
    var hop = Hop(plan, self, decodes: decodes, insists: insists)
    while true {
      switch try next(hop, connections, &part) {
      case .head(let head):
        if let response = try hop.take(head) { return response }
      case .end(let end):
        throw end.error(
          hop.shown, hasHead: false, held: (part.held, part.total), context.settings)
      case .body, nil: continue
      }
    }
  }

  private func next(
    _ hop: Hop, _ connections: ConnectionGroup, _ part: inout PartialDownload
  ) throws(TransferError) -> HTTPTransfer.Event? {
    do throws(TransferError) {
      try context.tell(held: part.held, total: part.total)
      return try connections.next(hop.transfer, &part)
    } catch {
      context.loop.abandon(hop.transfer)
      throw error
    }
  }

  /// Sends one request, to the source's URL or to the target of a redirect.
  ///
  /// - Parameter mayBePrivate: whether it may go to a loopback or private address.
  func begin(
    _ plan: RangePlan, _ url: RequestURL, decodes: Bool, insists: Bool, mayBePrivate: Bool
  ) -> HTTPTransfer {
    var request = Request(url: url, decodes: decodes)
    request.mayBePrivate = mayBePrivate
    request.isProxied = context.settings.isProxied(url.origin)
    if !decodes {
      request.fields.append("Accept-Encoding: identity\(insists ? ", *;q=0" : "")")
    }
    request.fields.append("Want-Repr-Digest: sha-256=10, sha-512=5")
    if let range = plan.rangeField { request.fields.append("Range: \(range)") }
    if let validator = plan.ifRangeField { request.fields.append("If-Range: \(validator)") }
    request.isOfSource = url.origin == self.url.origin
    if request.isOfSource {
      request.user = source.user
      request.password = source.password
    }
    let transfer = HTTPTransfer(
      request, headerLimit: context.settings.headerLimit, stock: context.loop.stock,
      wakeCounter: context.wakeCounter)
    guard !request.isProxied || mayBePrivate || !url.isInner else {
      transfer.finish(.addressRefused)
      return transfer
    }
    context.requests += 1
    context.loop.submit(transfer)
    return transfer
  }
}

extension RequestEnd {
  /// Maps the end of a failed request to a transfer error.
  func error(
    _ url: String, hasHead: Bool, held: (bytes: Int64, total: Int64?),
    _ settings: TransferSettings
  ) -> TransferError {
    switch self {
    case .complete: .cut(url: url, held: held.bytes, total: held.total)
    case .failed(let failure): failure.error(url, hasHead: hasHead, held: held)
    case .badHead(let detail): .protocolBroken(url: url, detail: detail)
    case .addressRefused: .addressRefused(url: url)
    case .short(let errno): .short(url: url, Errno(rawValue: errno))
    case .stalled: .stalled(url: url, milliseconds: settings.stallTime)
    case .cancelled: .stopped(.interrupted)
    }
  }
}
