import VmxCatalogue
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore

extension FeedWork {
  /// Subscribes again to a known feed: changes its rules and its password, and completes a first
  /// reading that was interrupted.
  func addAgain(
    _ feed: Subscription, at url: WebURL, rules: FeedRuleOptions, with updater: FeedUpdater,
    to reporter: RowReporter<FeedRow>
  ) throws {
    // The user subscribes again, although another device has ended the subscription.
    let (changed, result) = try change(feed, at: url, rules: rules) { $0.isPaused = false }
    if changed.initialImport == nil, !context.isDryRun {
      let ended = try importing(reporter) { report in
        let download = try updater.download(changed, options(isNamed: true))
        if case .failed(let failure) = download.outcome { throw failure }
        return try updater.apply(download, of: changed, report: report)
      }
      return try report(ended, reporter)
    }
    try reporter.report(result, row(changed, result: result), of: feed.id)
    if result == .unchanged() { context.messages.note("already subscribed to '\(feed.id)'") }
    if changed.want != feed.want { try noteBacklog(of: changed) }
  }

  /// Follows a known feed at another address, if it cannot be read at the known one.
  func addTwin(
    of twin: Subscription, after reading: FirstReading, rules: FeedRuleOptions,
    with updater: FeedUpdater, to reporter: RowReporter<FeedRow>
  ) throws {
    let shown = URLRedaction.redacted(reading.feed.url)
    guard case .failed(let failure) = try updater.download(twin, options(isNamed: true)).outcome,
      !failure.code.isLocal
    else {
      try reporter.report(.unchanged(), row(twin, result: .unchanged()), of: twin.id)
      return context.messages.note(
        "'\(twin.id)' has the same items at another address: run 'vmx feed move \(twin.id) URL' to "
          + "read it there, or add --title to follow both")
    }
    context.messages.note("'\(twin.id)' cannot be read at its address: \(failure.summary)")
    let (changed, _) = try change(twin, at: nil, rules: rules) { $0.isPaused = false }
    try move(changed, to: reading, shown: shown, with: updater, reporter: reporter)
  }

  /// Gives a feed another address.
  func move(_ name: String, to address: String, _ reporter: RowReporter<FeedRow>) throws {
    let feed = try subscriptions.named(name)
    let address = FeedAddress.fetched(address)
    let url = try WebURL(address)
    if let other = try subscriptions.all().feeds.first(where: { $0.hasURL(url.text) }),
      other.id != feed.id
    {
      throw Failure(
        .ambiguous, "'\(other.id)' has this address",
        hint: "run 'vmx feed remove \(other.id)' first")
    }
    try withUpdater { updater in
      let reading = try updater.read(feed, at: url, typed: address, options(isNamed: true))
      let shown = URLRedaction.redacted(url)
      if feed.changed != nil, reading.hasItems {
        let planned = try updater.dryRun.move(feed, to: reading) { _ in }
        guard case .imported(let counts) = planned.result, counts.known > 0 else {
          throw Failure(
            .ambiguous, "'\(shown)' has no item of '\(feed.id)'",
            hint: "run 'vmx feed add URL' to follow it as another feed")
        }
      }
      try move(feed, to: reading, shown: shown, with: updater, reporter: reporter)
      return [feed.id: true]
    }
  }

  private func move(
    _ feed: Subscription, to reading: FirstReading, shown: String, with updater: FeedUpdater,
    reporter: RowReporter<FeedRow>
  ) throws {
    let ended = try importing(reporter) { report in
      try updater.move(feed, to: reading, report: report)
    }
    try report(ended, reporter)
    if case .imported(let counts) = ended.result {
      context.messages.note(
        "'\(feed.id)' is read at '\(shown)': \(counts.known) items known, \(counts.added) new")
    }
  }

  /// Changes the rules of feeds, and requests the known episodes that they select.
  func set(
    _ names: [String], rules: FeedRuleOptions, isApplied: Bool,
    to reporter: RowReporter<FeedRow>
  ) throws {
    for name in names {
      do {
        let feed = try subscriptions.named(name)
        var (changed, result) = try change(feed, at: nil, rules: rules) { _ in }
        var reading: FeedRow.Reading?
        if isApplied {
          let backlog = FeedBacklog(store)
          let open = try backlog.episodes(of: changed)
          let count = context.isDryRun ? open.count : try backlog.request(open)
          if count > 0 { result = context.isDryRun ? .planned : .done }
          reading = FeedRow.Reading(items: 0, added: 0, wanted: count)
        }
        try reporter.report(result, row(changed, reading: reading, result: result), of: feed.id)
        if !isApplied { try noteBacklog(of: changed) }
      } catch let failure as Failure {
        let id = URLRedaction.redacted(operand: name)
        let feed = Subscription(id: id, url: "", title: "")
        let result = OperationResult(failure)
        try reporter.report(result, reporter.isJSON ? row(feed, result: result) : nil, of: id)
      }
    }
    if isApplied, !context.isDryRun { try noteDue() }
  }

  /// Prints the number of known episodes that the rule of a feed would select.
  private func noteBacklog(of feed: Subscription) throws {
    let count = try FeedBacklog(store).episodes(of: feed).count
    guard count > 0 else { return }
    let noun = count == 1 ? "known episode" : "known episodes"
    context.messages.note(
      "'--want \(feed.want.text)' would request \(count) \(noun) of '\(feed.id)': "
        + "run 'vmx feed set --apply \(feed.id)'")
  }

  /// Gives the show of a feed a title, as `vmx rename` does; an empty one gives it back.
  ///
  /// - Returns: whether the title has changed; nil if there is no title, or no show yet.
  private func rename(_ feed: Subscription, _ title: String?) throws -> Bool? {
    guard let title else { return nil }
    let owners = ShowOwners(try store.snapshot())
    let slug = try feed.show?.description ?? owners.slug(ofShow: feed.title, of: feed.id)
    guard try owners.owner(of: slug) != nil else {
      if title.isEmpty { throw Failure(.usage, "the title of a feed without a show is not empty") }
      return nil
    }
    let run = Operation(tool: context.stage, at: context.clock.now)
    return try ShowRenaming(store, run, claimTimeout: 0)
      .rename(slug, to: nil, title: title.trimmed).isChanged
  }

  /// Changes the rules of a feed, and its user and password to those of a URL.
  ///
  /// - Returns: the feed as recorded, or as it would be recorded in a dry run.
  func change(
    _ feed: Subscription, at url: WebURL?, rules: FeedRuleOptions,
    more: (inout Subscription) -> Void
  ) throws -> (feed: Subscription, result: OperationResult) {
    var rules = rules
    let isRenamed = try rename(feed, rules.title)
    if isRenamed != nil { rules.title = nil }
    let result = isRenamed == true ? context.isDryRun ? OperationResult.planned : .done : nil
    var wanted = feed
    try rules.apply(to: &wanted)
    more(&wanted)
    let hasOtherSecret = try url.map { try subscriptions.hasOtherSecret($0, than: feed) } ?? false
    guard wanted != feed || hasOtherSecret else { return (feed, result ?? .unchanged()) }
    guard !context.isDryRun else { return (wanted, .planned) }
    let secret = hasOtherSecret ? try url.flatMap { try subscriptions.secret(of: $0) } : nil
    var problem: Failure?
    let changed = try subscriptions.change(feed.id) { feed in
      do throws(Failure) {
        try rules.apply(to: &feed)
        more(&feed)
        feed.secret = secret ?? feed.secret
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    return (changed ?? wanted, .done)
  }
}
