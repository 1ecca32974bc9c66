import VmxModel

/// One request and the redirects it follows, for the first connection or an additional one.
struct Hop {
  /// The requested range and its condition.
  let plan: RangePlan
  /// The current request.
  private(set) var transfer: HTTPTransfer

  private let chain: RequestChain
  private let decodes: Bool
  private let insists: Bool
  private var at: RequestURL
  private var followed = 0

  /// Sends the request of a plan to the source's own URL.
  ///
  /// - Parameters:
  ///   - decodes: whether content codings are decoded.
  ///   - insists: whether the request accepts no other coding than identity.
  init(_ plan: RangePlan, _ chain: RequestChain, decodes: Bool = false, insists: Bool = false) {
    self.plan = plan
    self.chain = chain
    self.decodes = decodes
    self.insists = insists
    at = chain.url
    transfer = chain.begin(
      plan, chain.url, decodes: decodes, insists: insists,
      mayBePrivate: chain.source.mayBePrivate)
  }

  /// The origin of the current request.
  var origin: RequestURL.Origin { at.origin }

  /// The URL of the current request, as shown in messages.
  var shown: String { at.shown }

  /// Processes the response head that has arrived.
  ///
  /// - Returns: the response; nil for a redirect, which is followed by another request.
  mutating func take(_ head: ResponseHead) throws(TransferError) -> Response? {
    guard RedirectPolicy.isRedirect(head.status) else {
      return Response(transfer: transfer, head: head, url: at, redirects: followed)
    }
    transfer.discard()
    let settings = chain.context.settings
    let policy = RedirectPolicy(
      limit: settings.maxRedirects, allowsDowngrade: settings.allowsDowngrade)
    switch policy.verdict(from: at, location: head["location"], followed: followed) {
    case .follow(let next): at = next
    case .refuse(let to): throw .redirectRefused(url: at.shown, to: to)
    case .tooMany: throw .redirectLoop(url: chain.url.shown, count: policy.limit)
    }
    followed += 1
    if let error = chain.context.quiet(at) ?? chain.context.overspent(at) { throw error }
    // A redirect from a public address never leads to a loopback or private one.
    transfer = chain.begin(
      plan, at, decodes: decodes, insists: insists, mayBePrivate: transfer.isPeerInner)
    return nil
  }
}
