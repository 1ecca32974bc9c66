import VmxCatalogue
import VmxCommand
import VmxFetching
import VmxModel
import VmxPresentation
import VmxStore

extension FeedWork {
  /// Links a feed to a show of the library or the catalogue; without a name, removes the link.
  func link(_ name: String, to show: String?, _ reporter: RowReporter<FeedRow>) throws {
    let feed = try subscriptions.named(name)
    let show = try show.map { try self.show($0) }
    var wanted = feed
    wanted.show = show.flatMap { Slug(valid: $0.slug) }
    if context.isDryRun {
      let result: OperationResult = wanted == feed ? .unchanged() : .planned
      return try reporter.report(result, row(wanted, result: result), of: feed.id)
    }
    guard let linked = try FeedLinking(store).link(feed.id, to: show) else {
      throw Failure(.noSuchFeed, "another process removed '\(feed.id)'")
    }
    let result = OperationResult(isChanged: linked.isChanged)
    try reporter.report(result, row(linked.feed, result: result), of: feed.id)
    for double in linked.duplicates.prefix(5) {
      context.messages.note(
        "'\(double.feed)' of the feed has the number of '\(double.show)'; "
          + "run 'vmx rm --forget \(double.show)', then 'vmx feed link' again to join them")
    }
    let more = linked.duplicates.count - 5
    if more > 0 { context.messages.note("\(more) more duplicate episodes") }
  }

  private func show(_ name: String) throws -> LibraryShow {
    let session = try CatalogueSession(
      store, try context.catalogueAccess(), clock: context.clock, interruption: interruption
    ) { [messages = context.messages] in messages.note($0) }
    defer { session.close() }
    return try ShowLookup(session.catalogue, store) { [messages = context.messages] in
      messages.note($0)
    }.knownShow(ShowRequest(name))
  }
}
