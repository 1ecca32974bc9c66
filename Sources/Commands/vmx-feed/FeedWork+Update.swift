import VmxCommand
import VmxEngine
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore
import VmxSubscribing
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
      let count = try update(feeds, isNamed: !names.isEmpty, by: updater, reporter)
      if count > 0 { context.messages.note("checked \(count) \(count == 1 ? "feed" : "feeds")") }
    }
    try finish(reporter)
  }

  /// Returns the due feeds, and prints a note if there is none.
  private func due(_ updater: FeedUpdater, all: Bool) throws -> [Subscription] {
    let known = try subscriptions.all()
    for note in known.notes { context.messages.note(note) }
    let interval = try context.settings.milliseconds(.feedInterval)
    let feeds = known.feeds.filter { feed in
      !feed.isPaused && (all || updater.isDue(feed, interval: interval))
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
  /// - Returns: the number of feeds that were checked, including those that cannot be read.
  @discardableResult
  func update(
    _ feeds: [Subscription], isNamed: Bool, by updater: FeedUpdater,
    _ reporter: RowReporter<OutcomeRow>
  ) throws -> Int {
    let rows = EpisodeRows(of: store, in: context)
    var count = 0
    try updater.update(feeds, order(isNamed: isNamed), isDryRun: isDryRun) { feed, effect in
      try report(effect, of: feed, rows, reporter)
    } ended: { ended in
      for note in ended.notes { context.messages.note(note) }
      if case .failed(let failure) = ended.result, failure.code == .interrupted { return false }
      count += 1
      switch ended.result {
      case .failed(let failure):
        let result = OperationResult(failure)
        try reporter.report(result, of: ended.feed.id)
      case .unchanged: context.messages.detail("'\(ended.feed.id)' has nothing new")
      case .imported(let counts):
        let left = counts.added - counts.wanted
        if left > 0 {
          context.messages.note(
            "'\(ended.feed.id)': \(left) new, not wanted by '--want \(ended.feed.want.text)'")
        }
      }
      try reporter.flush()
      return !interruption.isRequested
    }
    return count
  }

  private func report(
    _ effect: FeedImport.Effect, of feed: Subscription, _ rows: EpisodeRows,
    _ reporter: RowReporter<OutcomeRow>
  ) throws {
    switch effect {
    case .imported(let taken):
      let episode = taken.episode
      guard episode.want == .fetch, episode.state != .ready, episode.state != .removed else {
        return
      }
      try reporter.report(EpisodeResult(episode, .done), rows, flushing: false)
    case .failed(let failure, let title):
      try reporter.reportFailure(failure, of: "\(feed.id): \(title)")
    }
  }

  private func finish(_ reporter: RowReporter<OutcomeRow>) throws {
    if isDryRun { context.noteDryRun() }
    try reporter.finish(interruptedBy: interruption)
  }
}
