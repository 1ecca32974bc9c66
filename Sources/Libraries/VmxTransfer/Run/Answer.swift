import VmxModel

/// The head of an answer whose body is still to be taken, refused or let pass.
struct Answer {
  let exchange: Exchange
  let head: ResponseHead
  /// The URL that gave it.
  let url: RequestURL
  /// Redirects followed on the way.
  let redirects: Int
}

/// Asks one source, following its redirects.
///
/// Credentials go to the origin of the source's own URL and nowhere else.
struct Asker {
  let context: RunContext
  let source: TransferSource
  let url: RequestURL

  /// Makes the request of a plan; the body of what it gives has to be dealt with.
  ///
  /// - Parameters:
  ///   - decodes: whether codings are undone.
  ///   - insists: whether it says that no other coding than identity will do.
  ///   - held: bytes held and bytes of the whole, to be told while it waits.
  func ask(
    _ plan: RangePlan, decodes: Bool, insists: Bool, held: (bytes: Int64, total: Int64?)
  ) throws(TransferError) -> Answer {
    let policy = RedirectPolicy(
      limit: context.settings.maxRedirects, allowsDowngrade: context.settings.allowsDowngrade)
    var at = url
    var followed = 0
    while true {
      let exchange = begin(plan, at, decodes: decodes, insists: insists)
      let head = try head(of: exchange, at, held)
      guard RedirectPolicy.isRedirect(head.status) else {
        return Answer(exchange: exchange, head: head, url: at, redirects: followed)
      }
      exchange.discard()
      switch policy.verdict(from: at, location: head["location"], followed: followed) {
      case .follow(let next): at = next
      case .refuse(let to): throw .redirectRefused(url: at.shown, to: to)
      case .tooMany: throw .redirectLoop(url: url.shown, count: policy.limit)
      }
      followed += 1
    }
  }

  private func begin(
    _ plan: RangePlan, _ url: RequestURL, decodes: Bool, insists: Bool
  ) -> Exchange {
    var request = Request(url: url, decodes: decodes)
    if !decodes {
      request.fields.append("Accept-Encoding: identity\(insists ? ", *;q=0" : "")")
    }
    request.fields.append("Want-Repr-Digest: sha-256=10")
    if let range = plan.rangeField { request.fields.append("Range: \(range)") }
    if let validator = plan.ifRangeField { request.fields.append("If-Range: \(validator)") }
    if url.origin == self.url.origin {
      request.user = source.user
      request.password = source.password
    }
    context.requests += 1
    let exchange = Exchange(request, headerLimit: context.settings.headerLimit)
    context.loop.submit(exchange)
    return exchange
  }

  private func head(
    of exchange: Exchange, _ url: RequestURL, _ held: (bytes: Int64, total: Int64?)
  ) throws(TransferError) -> ResponseHead {
    while true {
      switch exchange.next(milliseconds: 100) {
      case .head(let head): return head
      case .end(let end):
        throw end.error(url.shown, hasHead: false, held: held, context.settings)
      case .body, nil:
        do throws(TransferError) {
          try context.tell(held: held.bytes, total: held.total)
        } catch {
          context.loop.abandon(exchange)
          throw error
        }
      }
    }
  }
}

extension RequestEnd {
  /// What an end that is none means for the transfer.
  func error(
    _ url: String, hasHead: Bool, held: (bytes: Int64, total: Int64?),
    _ settings: TransferSettings
  ) -> TransferError {
    switch self {
    case .complete: .cut(url: url, held: held.bytes, total: held.total)
    case .failed(let failure): failure.error(url, hasHead: hasHead, held: held)
    case .badHead(let detail): .protocolBroken(url: url, detail: detail)
    case .stalled: .stalled(url: url, milliseconds: settings.stallTime)
    case .cancelled: .stopped(.interrupted)
    }
  }
}
