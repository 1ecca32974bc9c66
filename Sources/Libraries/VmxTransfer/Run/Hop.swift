import VmxModel

/// One request on its way through redirects, of the first connection or of an additional one.
struct Hop {
  /// What is asked.
  let plan: RangePlan
  /// The request that runs.
  private(set) var transfer: HTTPTransfer

  private let chain: RequestChain
  private let decodes: Bool
  private let insists: Bool
  private var at: RequestURL
  private var followed = 0

  /// Makes the request of a plan at the source's own URL.
  ///
  /// - Parameters:
  ///   - decodes: whether codings are undone.
  ///   - insists: whether it says that no other coding than identity will do.
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

  /// The host that is asked.
  var origin: RequestURL.Origin { at.origin }

  /// The URL that is asked, as shown in messages.
  var shown: String { at.shown }

  /// Takes the head that has come.
  ///
  /// - Returns: the answer; nil where it was a redirect, which is followed by another request.
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
    // From the internet nobody is led into the house.
    transfer = chain.begin(
      plan, at, decodes: decodes, insists: insists, mayBePrivate: transfer.isPeerInner)
    return nil
  }
}
