import VmxCatalogue
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

extension FeedWork {
  /// Reads feeds and subscribes to them.
  func add(_ urls: [String], rules: FeedRuleOptions, to reporter: RowReporter<FeedRow>) throws {
    var unwanted: [String] = []
    try withUpdater { updater in
      var read: [String: Bool] = [:]
      for text in urls where !interruption.isRequested {
        do {
          let address = FeedAddress.fetched(text)
          let url = try url(address)
          try SourceAdvice.checkIsNoPage(url)
          let feed = try add(url, typed: address, rules: rules, with: updater, to: reporter)
          if let feed { read[feed.id] = true }
          if let feed, feed.want == .none { unwanted.append("'\(feed.id)'") }
        } catch let failure as Failure {
          guard failure.code != .interrupted else { return read }
          let id = URLRedaction.redacted(operand: text)
          let feed = Subscription(id: id, url: id, title: rules.title ?? "")
          let result = OperationResult(failure.redacting([text]))
          try reporter.report(
            result, reporter.isJSON ? row(feed, result: result) : nil, of: id)
        }
      }
      return read
    }
    if !context.isDryRun { try noteDue() }
    guard !unwanted.isEmpty else { return }
    context.messages.note(
      "no episode of \(unwanted.joined(separator: ", ")) is requested automatically: "
        + "run 'vmx fetch ID' to fetch one, 'vmx feed set --want new FEED' to change the rule")
  }

  /// Prints the number of episodes that a fetch would request now.
  func noteDue() throws {
    let count = try store.snapshot().queueKeys(of: try context.dueRule()).count
    guard count > 0 else { return }
    let noun = count == 1 ? "episode is" : "episodes are"
    context.messages.note("\(count) \(noun) due; run 'vmx fetch'")
  }

  /// Parses an address.
  ///
  /// - Throws: `bad-url`, with the URL as hint if only the scheme is missing, or with what to do
  ///   with a file.
  private func url(_ address: String) throws(Failure) -> WebURL {
    do {
      return try WebURL(address)
    } catch {
      if !WebURL.isMeant(by: address), let hint = context.hint(forOperand: address) {
        throw Failure(error.code, error.summary, hint: hint)
      }
      throw SourceAdvice.guessing(error, of: address)
    }
  }

  /// Adds one feed, and returns it; nil if the library already follows it.
  private func add(
    _ url: WebURL, typed: String, rules: FeedRuleOptions, with updater: FeedUpdater,
    to reporter: RowReporter<FeedRow>
  ) throws -> Subscription? {
    if let known = try subscriptions.all().feeds.first(where: { $0.hasURL(url.text) }) {
      try addAgain(known, at: url, rules: rules, with: updater, to: reporter)
      return nil
    }
    var feed = Subscription(id: "", url: "", title: "")
    try rules.apply(to: &feed)
    let reading = try updater.read(feed, at: url, typed: typed, options(isNamed: true))
    // A title of its own says that the user wants to follow both.
    if rules.title == nil, let twin = try updater.twin(of: reading) {
      try addTwin(of: twin, after: reading, rules: rules, with: updater, to: reporter)
      return nil
    }
    let ended = try importing(reporter) { report in
      try updater.subscribe(to: reading, report: report)
    }
    try report(ended, reporter)
    return ended.feed
  }

  /// Performs an import, and reports the items that could not be imported.
  func importing(
    _ reporter: RowReporter<FeedRow>,
    _ body: ((FeedImport.Effect) throws -> Void) throws -> FeedUpdater.Ended
  ) throws -> FeedUpdater.Ended {
    var failed = 0
    let ended = try body { effect in
      guard case .failed(let failure, let title) = effect else { return }
      failed += 1
      context.messages.report(failure, id: title)
    }
    if failed > 0 { reporter.count(.failed(Failure(.ambiguous, "items failed")), times: failed) }
    return ended
  }

  /// Reports a feed that was read.
  func report(_ ended: FeedUpdater.Ended, _ reporter: RowReporter<FeedRow>) throws {
    for note in ended.notes { context.messages.note(note) }
    guard case .imported(let counts) = ended.result else { return }
    if counts.items == 0, counts.withoutFile > 0 {
      let reason = counts.refusal.map { ": \($0.summary)" } ?? ""
      context.messages.note("'\(ended.feed.id)' has no item with a file to fetch\(reason)")
    }
    if counts.excluded > 0 {
      context.messages.note(
        "'\(ended.feed.id)': --match and --skip exclude \(counts.excluded) of "
          + "\(counts.excluded + counts.items + counts.withoutFile) items")
    }
    let reading = FeedRow.Reading(
      items: counts.items, added: counts.added, wanted: counts.wanted, excluded: counts.excluded)
    let result: OperationResult = context.isDryRun ? .planned : .done
    try reporter.report(
      result, row(ended.feed, reading: reading, result: result), of: ended.feed.id)
  }

  /// Removes feeds; their episodes stay.
  func remove(_ names: [String], _ reporter: RowReporter<FeedRow>) throws {
    for name in names {
      do {
        let feed = try subscriptions.named(name)
        if !context.isDryRun {
          try subscriptions.remove(feed.id)
          try FeedChecks(in: context).delete(feed)
        }
        let result: OperationResult = context.isDryRun ? .planned : .done
        try reporter.report(result, row(feed, result: result), of: feed.id)
        try noteRest(of: feed)
      } catch let failure as Failure {
        let id = URLRedaction.redacted(operand: name)
        let result = OperationResult.failed(failure)
        let feed = Subscription(id: id, url: "", title: "")
        try reporter.report(result, reporter.isJSON ? row(feed, result: result) : nil, of: id)
      }
    }
  }

  /// Tells what stays of the show of a removed feed, and how it is removed.
  private func noteRest(of feed: Subscription) throws {
    let snapshot = try store.snapshot()
    let slug =
      try feed.show?.description ?? ShowOwners(snapshot).slug(ofShow: feed.title, of: feed.id)
    var query = EpisodeQuery()
    query.prefix = "\(slug)/"
    var (count, size) = (0, Int64(0))
    try snapshot.episodes(matching: query) { episode in
      guard episode.parts.contains(where: { $0.path != nil }) else { return true }
      count += 1
      size += episode.parts.filter { $0.path != nil }.compactMap { $0.size?.bytes }.clampedSum()
      return true
    }
    let isFavourite = snapshot.record(.favourite, slug) != nil
    guard count > 0 || isFavourite else { return }
    var commands: [String] = []
    if count > 0 { commands.append("'vmx rm --show \(slug)' removes its files") }
    if isFavourite { commands.append("'vmx favourite remove \(slug)' its mark as a favourite") }
    let files =
      count > 0
      ? "\(CountText.text(count, "episode") ?? "") with files, "
        + ByteCount(clamping: size).forPeople : "no files"
    context.messages.note(
      "the show '\(slug)' stays, with \(files): \(commands.joined(separator: ", and "))")
  }

  /// Returns the row of a feed.
  func row(
    _ feed: Subscription, reading: FeedRow.Reading? = nil, result: OperationResult
  ) -> FeedRow {
    FeedRow(
      feed, reading: reading, result: result, stage: context.stage, now: context.clock.now)
  }
}
