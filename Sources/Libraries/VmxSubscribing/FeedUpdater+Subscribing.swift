import VmxCatalogue
package import VmxModel

extension FeedUpdater {
  /// Reads a feed that is not followed yet, and follows it with its items.
  ///
  /// - Parameters:
  ///   - feed: the rules, and the title unless it is that of the document.
  ///   - url: its address, with user and password of a private feed.
  ///   - typed: the same as the user typed it, for the request.
  ///   - isDryRun: whether to record nothing, and report what would be added.
  ///   - report: as for `update`.
  /// - Throws: the failure of the check, errors of the store and of `report`.
  package func subscribe(
    to feed: Subscription, at url: WebURL, typed: String, _ order: FeedDownload.Order,
    isDryRun: Bool,
    report: (FeedImport.Effect) throws -> Void
  ) throws -> Ended {
    var feed = feed
    feed.url = url.user == nil ? url.text : typed
    let download = download(feed, order)
    guard case .changed(let found, _) = download.answer else {
      if case .failed(let failure) = download.answer { throw failure }
      throw Failure(.internalError, "a feed without a check is unchanged")
    }
    feed.url = url.text
    if feed.title.isEmpty { feed.title = found.title ?? url.host }
    if isDryRun {
      feed.id = feed.proposedID.description
    } else {
      // User and password become a secret only when the document is a feed.
      feed = try subscriptions.add(feed, at: url).feed
    }
    return try take(download, of: feed, isDryRun: isDryRun, report: report)
  }
}
