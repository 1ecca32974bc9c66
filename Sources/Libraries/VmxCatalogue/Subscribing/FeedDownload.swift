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
  /// Whether the document at the new URL shares an item with the one at the old URL, or is
  /// unchanged.
  package var isMoveProven = false
  /// The following pages that could not be read, as redacted URLs.
  package var failedPages: [(page: String, failure: Failure)] = []
  /// Messages for the user.
  package var notes: [String] = []
  /// Whether the URLs of items may lead into private networks, as the feed's own URL does.
  package var isPrivate = false

  /// The options of a check.
  package struct Options: Sendable {
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

  private init(_ outcome: Outcome) {
    self.outcome = outcome
  }

  /// Checks a feed.
  ///
  /// - Parameter last: the last check whose items were all imported.
  package init(
    of feed: Subscription, last: FeedCheck?, _ options: Options, send: HTTPSending
  ) {
    do {
      self = try Self.checked(feed, last: last, options: options, with: send)
    } catch {
      let failure = Self.failure(error)
      self =
        Self.readFallback(of: feed, last: last, options: options, after: failure, with: send)
        ?? Self(.failed(failure))
    }
  }

  /// Reads a feed at the URL before its last move, while the new URL fails.
  ///
  /// - Returns: the document there; nil if it cannot be read either.
  private static func readFallback(
    of feed: Subscription, last: FeedCheck?, options: Options, after failure: Failure,
    with send: HTTPSending
  ) -> FeedDownload? {
    guard let fallback = feed.fallback, !failure.code.isLocal, failure.code != .rateLimited else {
      return nil
    }
    var old = feed
    old.url = fallback
    if origin(fallback) != origin(feed.url) { old.secret = nil }
    // The validators are those of the server at the new URL.
    var last = last
    last?.validators = Validators()
    do {
      var download = try checked(old, last: last, options: options, with: send)
      switch download.outcome {
      case .changed(let found, var check):
        check.validators = Validators()
        download = FeedDownload(.changed(found, check), download)
      case .unchanged(var check):
        check.validators = Validators()
        download = FeedDownload(.unchanged(check), download)
      case .failed: return nil
      }
      download.notes = ["'\(feed.id)' was read at its earlier URL: \(failure.summary)"]
      return download
    } catch {
      // The failure at the new URL is the one to report.
      return nil
    }
  }

  private init(_ outcome: Outcome, _ other: FeedDownload) {
    self.outcome = outcome
    isPrivate = other.isPrivate
    failedPages = other.failedPages
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
    _ feed: Subscription, last: FeedCheck?, options: Options, with send: HTTPSending
  ) throws -> FeedDownload {
    var request = HTTPRequest(feed.url, accepts: FeedReader.types, limit: FeedReader.maxSize)
    request.secret = feed.secret
    request.allowsPrivateAddresses = !feed.isForeign
    request.ignoresRetryAfter = options.isNamed
    // No validators are sent with paging, since items of later pages may not have been imported.
    let known = options.followsPages ? nil : last
    request.validators = known?.validators ?? Validators()
    var check = FeedCheck(checked: options.now)
    let document = try send(request)
    guard !document.isUnchanged else {
      check.validators = request.validators
      (check.content, check.minInterval) = (known?.content, known?.minInterval)
      return moved(FeedDownload(.unchanged(check)), document)
    }
    var hash = StableHash()
    hash.combine(document.bytes)
    check.content = hash.value
    check.validators = document.validators
    if known?.content == check.content {
      check.minInterval = known?.minInterval
      return moved(FeedDownload(.unchanged(check)), document)
    }
    var found = try FeedReader.read(document)
    check.minInterval = found.minInterval
    let failedPages = options.followsPages ? try addPages(to: &found, request, send) : []
    var download = moved(FeedDownload(.changed(found, check)), document)
    download.failedPages = failedPages
    if let address = found.newURL, address.text != feed.url, address.text != document.url {
      try download.checkMove(to: address, of: found, first: request, with: send)
    }
    return download
  }

  private static func moved(
    _ download: FeedDownload, _ document: HTTPResponse
  ) -> FeedDownload {
    var download = download
    download.isPrivate = document.isFromPrivate
    download.movedTo = document.movedTo.flatMap { WebURL(valid: $0) }
    download.isMoveProven = document.isUnchanged
    return download
  }

  /// Reads the document at the URL that the feed names as its new one (`itunes:new-feed-url`). The
  /// feed has moved only if that is a feed which shares an item with this one.
  ///
  /// - Throws: `interrupted`.
  private mutating func checkMove(
    to address: WebURL, of found: Feed, first: HTTPRequest, with send: HTTPSending
  ) throws {
    var request = first
    request.url = address.text
    request.validators = Validators()
    request.allowsPrivateAddresses = first.allowsPrivateAddresses && isPrivate
    if address.origin != Self.origin(first.url) { request.secret = nil }
    let shown = URLRedaction.redacted(address)
    do {
      let document = try send(request)
      guard try FeedReader.read(document).sharesItem(with: found) else {
        notes.append("the new URL that the feed names has none of its items: '\(shown)'")
        return
      }
      (movedTo, isMoveProven) = (address, true)
    } catch {
      let failure = Failure(error)
      guard failure.code != .interrupted else { throw failure }
      notes.append("the new URL that the feed names cannot be read: \(failure.summary)")
    }
  }

  /// Reads following pages of the same origin, until a page has no next page or no new item, or
  /// cannot be read.
  ///
  /// - Returns: the page that could not be read.
  /// - Throws: `interrupted`.
  private static func addPages(
    to feed: inout Feed, _ first: HTTPRequest, _ send: HTTPSending
  ) throws -> [(page: String, failure: Failure)] {
    guard let origin = FeedDownload.origin(first.url) else { return [] }
    var guids = Set(feed.items.map(\.guid))
    var met: Set<String> = [first.url]
    var next = feed.nextPage
    while let url = next, met.count < maxPages, met.insert(url.text).inserted, url.origin == origin
    {
      var request = first
      request.url = url.text
      request.validators = Validators()
      let page: Feed
      do {
        page = try FeedReader.read(try send(request))
      } catch {
        let failure = Failure(error)
        guard failure.code != .interrupted else { throw failure }
        let shown = URLRedaction.redacted(url)
        return [(shown, Failure(failure.code, failure.summary, hint: pageHint))]
      }
      let items = page.items.filter { guids.insert($0.guid).inserted }
      guard !items.isEmpty else { return [] }
      feed.items += items
      next = page.nextPage
    }
    return []
  }

  private static let pageHint =
    "the items of the other pages were added; run 'vmx feed update --pages FEED' to try again"

  private static func origin(_ url: String) -> String? { WebURL(valid: url)?.origin }
}
