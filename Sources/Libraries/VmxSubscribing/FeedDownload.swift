package import VmxCatalogue
package import VmxModel

/// The result of checking a feed on the network; nothing is recorded yet.
package struct FeedDownload: Sendable {
  /// The result of a check.
  package enum Outcome: Sendable {
    /// The feed is unchanged since its items were imported.
    case unchanged(FeedCheck)
    /// The feed has a new document. Its check is cached once the items are imported.
    case changed(Feed, FeedCheck)
    /// The check failed.
    case failed(Failure)
  }

  /// The maximum number of pages read of a feed.
  private static let maxPages = 100

  /// The result.
  package let outcome: Outcome
  /// The new URL of the feed; nil if the feed has not moved.
  package var movedTo: WebURL?
  /// Whether the URLs of items may lead into private networks, as the feed's own URL does.
  package var isPrivate = false

  /// The options of a check.
  package struct Order: Sendable {
    /// Whether the user named the feed. A wait requested by the server is then overridden.
    package var isNamed = false
    /// Whether the following pages of a paged feed are also read.
    package var followsPages = false
    /// The time of the check.
    package var now: Timestamp

    /// Creates the options of a run for all feeds.
    package init(now: Timestamp) {
      self.now = now
    }
  }

  private init(_ answer: Outcome) {
    self.outcome = answer
  }

  /// Checks a feed.
  ///
  /// - Parameter last: the last check whose items were all imported.
  package init(
    of feed: Subscription, last: FeedCheck?, _ order: Order, fetch: DocumentFetching
  ) {
    do {
      self = try Self.checked(feed, last, order, fetch)
    } catch {
      self.init(.failed(Self.failure(error)))
    }
  }

  /// Returns the failure with a hint for feeds instead of that for episode files.
  private static func failure(_ error: any Error) -> Failure {
    let failure = Failure(error)
    let hint: String
    switch failure.code {
    case .httpGone:
      hint = "find the new URL of the feed, or run 'vmx feed remove FEED' to unsubscribe"
    case .httpDenied: hint = "run 'vmx feed add https://USER:PASSWORD@HOST/PATH' for a private feed"
    default: return failure
    }
    return Failure(failure.code, failure.summary, hint: hint, retryAt: failure.retryAt)
  }

  private static func checked(
    _ feed: Subscription, _ last: FeedCheck?, _ order: Order, _ fetch: DocumentFetching
  ) throws -> FeedDownload {
    var request = CatalogueRequest(feed.url, secret: feed.secret, limit: FeedReader.maxSize)
    request.accepts = FeedReader.types
    request.allowsPrivateAddresses = !feed.isForeign
    request.ignoresRetryAfter = order.isNamed
    // No validators are sent with paging, since items of later pages may not have been imported.
    let known = order.followsPages ? nil : last
    request.validators = known?.validators ?? DocumentValidators()
    var check = FeedCheck(checked: order.now)
    let document = try fetch(request)
    guard !document.isUnchanged else {
      check.validators = request.validators
      (check.content, check.minInterval) = (known?.content, known?.minInterval)
      return moved(FeedDownload(.unchanged(check)), document, nil)
    }
    var hash = StableHash()
    hash.combine(document.bytes)
    check.content = hash.value
    check.validators = document.validators
    if known?.content == check.content {
      check.minInterval = known?.minInterval
      return moved(FeedDownload(.unchanged(check)), document, nil)
    }
    var found = try FeedReader.read(document)
    check.minInterval = found.minInterval
    if order.followsPages { try addPages(to: &found, request, fetch) }
    return moved(FeedDownload(.changed(found, check)), document, found)
  }

  private static func moved(
    _ download: FeedDownload, _ document: CatalogueDocument, _ feed: Feed?
  ) -> FeedDownload {
    var download = download
    download.isPrivate = document.isFromPrivate
    let url = feed?.newURL?.text ?? document.movedTo
    download.movedTo = url.flatMap { try? WebURL($0) }
    return download
  }

  /// Reads following pages of the same origin, until a page has no next page or no new item.
  private static func addPages(
    to feed: inout Feed, _ first: CatalogueRequest, _ fetch: DocumentFetching
  ) throws {
    guard let origin = FeedDownload.origin(first.url) else { return }
    var guids = Set(feed.items.map(\.guid))
    var met: Set<String> = [first.url]
    var next = feed.nextPage
    while let url = next, met.count < maxPages, met.insert(url.text).inserted, url.origin == origin
    {
      var request = first
      request.url = url.text
      request.validators = DocumentValidators()
      let document = try fetch(request)
      let page = try FeedReader.read(document)
      let items = page.items.filter { guids.insert($0.guid).inserted }
      guard !items.isEmpty else { return }
      feed.items += items
      next = page.nextPage
    }
  }

  private static func origin(_ url: String) -> String? { (try? WebURL(url))?.origin }
}
