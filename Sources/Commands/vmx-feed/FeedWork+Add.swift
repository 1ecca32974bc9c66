import VmxCatalogue
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSubscribing
import VmxSystem

extension FeedWork {
  /// Reads feeds and subscribes to them.
  func add(_ urls: [String], _ rules: FeedRuleOptions, _ reporter: RowReporter<FeedRow>) throws {
    var unwanted: [String] = []
    try withUpdater { updater in
      for text in urls where !interruption.isRequested {
        do {
          let address = Self.address(text)
          let url = try Self.url(address)
          try SourceAdvice.checkIsNoPage(url)
          let feed = try add(url, typed: address, rules, updater, reporter)
          if let feed, feed.want == .none { unwanted.append("'\(feed.id)'") }
        } catch let failure as Failure {
          guard failure.code != .interrupted else { return }
          let id = URLRedaction.redacted(operand: text)
          let feed = Subscription(id: id, url: id, title: rules.title ?? "")
          let result = OperationResult(failure.redacting([text]))
          try reporter.report(
            result, reporter.isJSON ? row(feed, result: result) : nil, of: id)
        }
      }
    }
    guard !unwanted.isEmpty else { return }
    context.messages.note(
      "no episode of \(unwanted.joined(separator: ", ")) is requested automatically: "
        + "run 'vmx fetch ID' to fetch one, 'vmx feed add --want new URL' to change the rule")
  }

  /// Returns the URL in a link for feed readers, such as `feed://example.org/rss`.
  private static func address(_ text: String) -> String {
    for scheme in ["feed:", "itpc:", "pcast:"] where text.lowercased().hasPrefix(scheme) {
      let rest = text.dropFirst(scheme.count)
      return rest.hasPrefix("//") ? "https:\(rest)" : String(rest)
    }
    return text
  }

  /// Parses an address.
  ///
  /// - Throws: `bad-url`, with the URL as hint if only the scheme is missing.
  private static func url(_ address: String) throws(Failure) -> WebURL {
    do {
      return try WebURL(address)
    } catch {
      throw SourceAdvice.guessing(error, of: address)
    }
  }

  /// Adds one feed, and returns it; nil if the library already follows it.
  private func add(
    _ url: WebURL, typed: String, _ rules: FeedRuleOptions, _ updater: FeedUpdater,
    _ reporter: RowReporter<FeedRow>
  ) throws -> Subscription? {
    if let known = try subscriptions.all().feeds.first(where: { $0.hasURL(url.text) }) {
      try change(known, rules, reporter)
      return nil
    }
    var feed = Subscription(id: "", url: "", title: "")
    try rules.apply(to: &feed)
    var failed = 0
    let ended = try updater.subscribe(
      to: feed, at: url, typed: typed, order(isNamed: true), isDryRun: isDryRun
    ) { effect in
      guard case .failed(let failure, let title) = effect else { return }
      failed += 1
      context.messages.report(failure, id: title)
    }
    if failed > 0 { reporter.count(.failed(Failure(.ambiguous, "items failed")), times: failed) }
    try report(ended, reporter)
    return ended.feed
  }

  private func report(_ ended: FeedUpdater.Ended, _ reporter: RowReporter<FeedRow>) throws {
    for note in ended.notes { context.messages.note(note) }
    guard case .imported(let counts) = ended.result else { return }
    if counts.items == 0, counts.withoutFile > 0 {
      let reason = counts.refusal.map { ": \($0.summary)" } ?? ""
      context.messages.note("'\(ended.feed.id)' has no item with a file to fetch\(reason)")
    }
    let reading = FeedRow.Reading(
      items: counts.items, added: counts.added, wanted: counts.wanted)
    let result: OperationResult = isDryRun ? .planned : .done
    try reporter.report(
      result, row(ended.feed, reading: reading, result: result), of: ended.feed.id)
  }

  /// Changes the rules of an existing feed.
  private func change(
    _ feed: Subscription, _ rules: FeedRuleOptions, _ reporter: RowReporter<FeedRow>
  ) throws {
    var wanted = feed
    try rules.apply(to: &wanted)
    // The user subscribes again, although another device has ended the subscription.
    wanted.isPaused = false
    var result = OperationResult(isChanged: wanted != feed)
    if isDryRun, wanted != feed { result = .planned }
    if result == .done {
      var problem: Failure?
      let changed = try subscriptions.change(feed.id) { feed in
        do throws(Failure) {
          try rules.apply(to: &feed)
          feed.isPaused = false
        } catch {
          problem = error
        }
      }
      if let problem { throw problem }
      wanted = changed ?? wanted
    }
    try reporter.report(result, row(wanted, result: result), of: feed.id)
    if result == .unchanged() { context.messages.note("already subscribed to '\(feed.id)'") }
  }

  /// Removes feeds; their episodes stay.
  func remove(_ names: [String], _ reporter: RowReporter<FeedRow>) throws {
    for name in names {
      do {
        let feed = try subscriptions.named(name)
        if !isDryRun {
          try subscriptions.remove(feed.id)
          try FeedChecks(in: context).delete(feed)
        }
        let result: OperationResult = isDryRun ? .planned : .done
        try reporter.report(result, row(feed, result: result), of: feed.id)
      } catch let failure as Failure {
        let id = URLRedaction.redacted(operand: name)
        let result = OperationResult.failed(failure)
        let feed = Subscription(id: id, url: "", title: "")
        try reporter.report(result, reporter.isJSON ? row(feed, result: result) : nil, of: id)
      }
    }
  }

  /// Returns the row of a feed.
  func row(
    _ feed: Subscription, reading: FeedRow.Reading? = nil, result: OperationResult
  ) -> FeedRow {
    FeedRow(
      feed, reading: reading, result: result, stage: context.stage, now: context.clock.now)
  }
}
