import VmxCatalogue
import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

extension FeedWork {
  /// Checks the due or the given feeds, and reports their new wanted episodes.
  func update(_ names: [String], all: Bool, _ reporter: RowReporter<OutcomeRow>) throws {
    ignoreBrokenPipes()
    var feeds: [Subscription] = []
    for name in names {
      do {
        let feed = try subscriptions.named(name)
        if !feeds.contains(where: { $0.id == feed.id }) { feeds.append(feed) }
      } catch let failure as Failure {
        try reporter.reportFailure(failure, of: name)
      }
    }
    // Two concurrent runs for all feeds would query each server twice.
    let job = names.isEmpty ? try store.tryJob(.feeds) : nil
    guard !names.isEmpty || job != nil else {
      throw Failure(.lockBusy, "another process is checking the feeds")
    }
    defer { job?.release() }
    try withUpdater { updater in
      if names.isEmpty { feeds = try due(updater, all: all) }
      let (read, count, reported) = try update(
        feeds, isNamed: !names.isEmpty, by: updater, reporter)
      if reporter.isJSON, !context.isDryRun, !interruption.isRequested {
        let passed = names.isEmpty ? try subscriptions.all().feeds : feeds
        try reportDue(of: Set(passed.map(\.id)), except: reported, reporter)
      }
      if count > 0 { context.messages.note("checked \(count) \(count == 1 ? "feed" : "feeds")") }
      return read
    }
    try finish(reporter)
  }

  /// Returns the due feeds, and prints a note if there is none.
  private func due(_ updater: FeedUpdater, all: Bool) throws -> [Subscription] {
    let known = try subscriptions.all()
    for note in known.notes { context.messages.note(note) }
    let interval = try context.settings.milliseconds(.feedInterval)
    let feeds = try known.feeds.filter { feed in
      try !feed.isPaused && (all || updater.isDue(feed, interval: interval))
    }
    if known.feeds.isEmpty {
      context.messages.note("no feeds; run 'vmx feed add URL' to subscribe to one")
    } else if feeds.isEmpty {
      context.messages.note("no feed is due; run 'vmx feed update --all' to check all")
    }
    return feeds
  }

  /// Updates feeds, and reports their new wanted episodes.
  ///
  /// - Returns: the feeds that were read, and whether each has changed; the number of feeds that
  ///   were checked, including those that cannot be read; and the episodes that were reported.
  private func update(
    _ feeds: [Subscription], isNamed: Bool, by updater: FeedUpdater,
    _ reporter: RowReporter<OutcomeRow>
  ) throws -> (read: [String: Bool], count: Int, reported: Set<EpisodeID>) {
    let rows = EpisodeRows(of: store, in: context)
    var read: [String: Bool] = [:]
    var count = 0
    var reported: Set<EpisodeID> = []
    try updater.update(feeds, options(isNamed: isNamed)) { feed, effect in
      if let id = try report(effect, of: feed, rows: rows, to: reporter) { reported.insert(id) }
    } ended: { ended in
      for note in ended.notes { context.messages.note(note) }
      if case .failed(let failure) = ended.result, failure.code == .interrupted { return false }
      count += 1
      switch ended.result {
      case .failed(let failure):
        let result = OperationResult(failure)
        if ended.isReported || reporter.isJSON {
          try reporter.report(result, of: ended.feed.id)
        } else {
          reporter.count(result)
        }
      case .unchanged:
        context.messages.detail("'\(ended.feed.id)' has nothing new")
        read[ended.feed.id] = false
        // Beside a failing feed the run is a partial success.
        reporter.count(.unchanged(), as: Self.readFeeds)
      case .imported(let counts):
        read[ended.feed.id] = true
        reporter.count(.unchanged(), as: Self.readFeeds)
        let left = counts.added - counts.wanted
        if left > 0 {
          context.messages.note(
            "'\(ended.feed.id)': \(left) new, not wanted by '--want \(ended.feed.want.text)'")
        }
      }
      try reporter.flush()
      return !interruption.isRequested
    }
    return (read, count, reported)
  }

  /// The word under which read feeds are counted; the text of the tally has no such word.
  private static let readFeeds = "read"

  /// Passes on the due episodes of feeds that an earlier update has requested, so that a pipe to
  /// `vmx fetch` also takes what failed before.
  private func reportDue(
    of feeds: Set<String>, except reported: Set<EpisodeID>, _ reporter: RowReporter<OutcomeRow>
  ) throws {
    let rows = EpisodeRows(of: store, in: context)
    let rule = try context.dueRule()
    try store.snapshot().queue(of: rule, matching: EpisodeQuery()) { _, episode in
      if episode.feed.map(feeds.contains) ?? false, !reported.contains(episode.id) {
        try reporter.report(EpisodeResult(episode, .unchanged()), rows, flushing: false)
      }
      return true
    }
    try reporter.flush()
  }

  /// Reports a wanted episode or a failed item.
  ///
  /// - Returns: the reported episode.
  private func report(
    _ effect: FeedImport.Effect, of feed: Subscription, rows: EpisodeRows,
    to reporter: RowReporter<OutcomeRow>
  ) throws -> EpisodeID? {
    switch effect {
    case .imported(let taken):
      let episode = taken.episode
      guard episode.want == .fetch, episode.state != .ready, episode.state != .removed else {
        return nil
      }
      try reporter.report(EpisodeResult(episode, .done), rows, flushing: false)
      return episode.id
    case .failed(let failure, let title):
      try reporter.reportFailure(failure, of: "\(feed.id): \(title)")
      return nil
    }
  }

  private func finish(_ reporter: RowReporter<OutcomeRow>) throws {
    try reporter.finish(interruptedBy: interruption)
  }
}
