import VmxModel

/// One request on its way through redirects, of the first connection or of an additional one.
struct Asking {
  /// What is asked.
  let plan: RangePlan
  /// The request that runs.
  private(set) var exchange: Exchange

  private let asker: Asker
  private let decodes: Bool
  private let insists: Bool
  private var at: RequestURL
  private var followed = 0

  /// Makes the request of a plan at the source's own URL.
  ///
  /// - Parameters:
  ///   - decodes: whether codings are undone.
  ///   - insists: whether it says that no other coding than identity will do.
  init(_ plan: RangePlan, _ asker: Asker, decodes: Bool = false, insists: Bool = false) {
    self.plan = plan
    self.asker = asker
    self.decodes = decodes
    self.insists = insists
    at = asker.url
    exchange = asker.begin(
      plan, asker.url, decodes: decodes, insists: insists,
      mayBePrivate: asker.source.mayBePrivate)
  }

  /// The host that is asked.
  var origin: RequestURL.Origin { at.origin }

  /// The URL that is asked, as shown in messages.
  var shown: String { at.shown }

  /// Takes the head that has come.
  ///
  /// - Returns: the answer; nil where it was a redirect, which is followed by another request.
  mutating func take(_ head: ResponseHead) throws(TransferError) -> Answer? {
    guard RedirectPolicy.isRedirect(head.status) else {
      return Answer(exchange: exchange, head: head, url: at, redirects: followed)
    }
    exchange.discard()
    let settings = asker.context.settings
    let policy = RedirectPolicy(
      limit: settings.maxRedirects, allowsDowngrade: settings.allowsDowngrade)
    switch policy.verdict(from: at, location: head["location"], followed: followed) {
    case .follow(let next): at = next
    case .refuse(let to): throw .redirectRefused(url: at.shown, to: to)
    case .tooMany: throw .redirectLoop(url: asker.url.shown, count: policy.limit)
    }
    followed += 1
    if let error = asker.context.quiet(at) ?? asker.context.overspent(at) { throw error }
    // From the internet nobody is led into the house.
    exchange = asker.begin(
      plan, at, decodes: decodes, insists: insists, mayBePrivate: exchange.isPeerInner)
    return nil
  }
}
