import VmxCatalogue
package import VmxModel

extension FeedUpdater {
  /// Reads a feed, subscribes to it, and imports its items.
  ///
  /// - Parameters:
  ///   - feed: the rules of the subscription. An empty title is replaced by the document's title.
  ///   - url: the address, with user and password for a private feed.
  ///   - typed: the address as the user typed it, for the request.
  ///   - isDryRun: whether to record nothing and report the same effects.
  ///   - report: as for `update`.
  /// - Throws: the failure of the check, store errors and the errors of `report`.
  package func subscribe(
    to feed: Subscription, at url: WebURL, typed: String, _ order: FeedDownload.Order,
    isDryRun: Bool,
    report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    var feed = feed
    feed.url = url.user == nil ? url.text : typed
    let download = download(feed, order)
    guard case .changed(let found, _) = download.outcome else {
      if case .failed(let failure) = download.outcome { throw failure }
      throw Failure(.internalError, "a feed without a check is unchanged")
    }
    feed.url = url.text
    if feed.title.isEmpty { feed.title = found.title ?? url.host }
    if isDryRun {
      feed.id = feed.proposedID.description
    } else {
      // User and password are stored as a secret only after the document proved to be a feed.
      feed = try subscriptions.add(feed, at: url).feed
    }
    return try apply(download, of: feed, isDryRun: isDryRun, report: report)
  }
}
