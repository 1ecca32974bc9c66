import SystemPackage
import VmxCatalogue
import VmxCommand
import VmxMarkup
import VmxMigrating
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// The exchange of subscriptions with other programs: OPML, lists of URLs, and databases.
struct FeedLists {
  private let work: FeedWork

  init(_ work: FeedWork) {
    self.work = work
  }

  /// Subscribes to the feeds in a list or database.
  func read(_ file: String, rules: FeedRuleOptions, to reporter: RowReporter<FeedRow>) throws {
    let list = try list(in: file)
    guard !list.feeds.isEmpty else {
      throw Failure(
        .badLine, "no feeds in '\(ArgumentText.shown(file))'",
        hint: "give an OPML file, a list of URLs, or the database of a podcast program")
    }
    var seen: [Subscription] = []
    for entry in list.feeds { try add(entry, rules: rules, seen: &seen, to: reporter) }
    guard !work.context.isDryRun else { return }
    work.context.messages.note("run 'vmx feed update' to read the new feeds")
  }

  private func add(
    _ entry: SubscriptionList.Feed, rules: FeedRuleOptions, seen: inout [Subscription],
    to reporter: RowReporter<FeedRow>
  ) throws {
    do {
      var url = try WebURL(FeedAddress.fetched(entry.url))
      if url.user == nil, !entry.user.isEmpty {
        url = try url.with(user: entry.user, password: entry.password)
      }
      var feed = Subscription(
        id: "", url: url.text, title: entry.title.isEmpty ? url.host : entry.title)
      try rules.filling(entry.rules).apply(to: &feed)
      // A list may contain a feed twice, and a dry run records none.
      let known = try (work.subscriptions.all().feeds + seen).first { $0.hasURL(url.text) }
      var isNew = known == nil
      if isNew, !work.context.isDryRun { (feed, isNew) = try work.subscriptions.add(feed, at: url) }
      var result: OperationResult = work.context.isDryRun ? .planned : .done
      if let known { feed = known }
      // A known feed gets the password of the list, and the rules of the command line.
      if !isNew { (feed, result) = try work.change(feed, at: url, rules: rules) { _ in } }
      if feed.id.isEmpty { feed.id = feed.slugOfTitle.description }
      seen.append(feed)
      try reporter.report(result, work.row(feed, result: result), of: feed.id)
    } catch let failure as Failure {
      let id = URLRedaction.redacted(operand: entry.url)
      let result = OperationResult(failure)
      let feed = Subscription(id: id, url: id, title: entry.title)
      try reporter.report(
        result, reporter.isJSON ? work.row(feed, result: result) : nil, of: id)
    }
  }

  private func list(in file: String) throws -> SubscriptionList {
    let path = FilePath(argument: file)
    // A database may be larger than any list.
    if file != "-", try FileFacts.of(path)?.isRegular == true {
      let environment = work.context.environment
      let tools = LegacyTools(scratch: environment.scratch) { environment.program($0) }
      if let list = try SubscriptionList(database: path, tools) { return list }
    }
    return try SubscriptionList(try bytes(of: file))
  }

  private func bytes(of file: String) throws -> [UInt8] {
    if file == "-" {
      var bytes: [UInt8] = []
      while case let piece = try work.context.input.read(), !piece.isEmpty {
        bytes += piece
        guard bytes.count <= SubscriptionList.maxBytes else {
          throw Failure(.inputMissing, "standard input is too large for a list of feeds")
        }
      }
      return bytes
    }
    guard
      let bytes = try readFile(
        FilePath(argument: file), limit: ByteCount(clamping: Int64(SubscriptionList.maxBytes)))
    else { throw Failure(.inputMissing, "cannot read '\(ArgumentText.shown(file))'") }
    return bytes
  }

  /// Writes the feeds as OPML, without user names and passwords.
  ///
  /// - Parameter withSecrets: whether addresses keep the tokens in their queries.
  func export(to file: String?, withSecrets: Bool) throws {
    let known = try work.subscriptions.all()
    for note in known.notes { work.context.messages.note(note) }
    let list = SubscriptionList(
      feeds: known.feeds.map {
        SubscriptionList.Feed(
          title: $0.title, url: withSecrets ? $0.url : SecretQuery.removed(from: $0.url),
          rules: FeedRuleOptions.attributes(of: $0))
      })
    let bytes = try list.document(title: "vmx feeds")
    if let file, file != "-" {
      try AtomicFile.replace(FilePath(argument: file), with: bytes, durable: true)
    } else {
      try work.context.output.write(String(decoding: bytes, as: UTF8.self))
      try work.context.output.flush()
    }
    if known.feeds.contains(where: { $0.secret != nil }) {
      work.context.messages.note("user names and passwords were left out")
    }
    if !withSecrets, known.feeds.contains(where: { SecretQuery.isPresent(in: $0.url) }) {
      work.context.messages.note("tokens in addresses were left out; '--with-secrets' keeps them")
    }
  }
}
