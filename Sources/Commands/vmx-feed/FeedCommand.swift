import ArgumentParser
import VmxCatalogue
import VmxCommand
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Subscribes to feeds, and adds their new episodes to the library.
@main
struct FeedCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "feed", usage: "vmx feed [<request>] [<options>] [<feed>]...",
    discussion: """
      Requests: list, add URL, update [FEED], set FEED, move FEED URL, remove FEED, link FEED SHOW, \
      unlink FEED, import FILE, export [FILE]. Without a request, lists the feeds. 'update' checks the feeds that are \
      due, or the given ones, and prints new wanted episodes.

      vmx feed add --want latest:5 https://example.org/feed.xml
      vmx feed update; vmx fetch --due
      vmx feed update --json | vmx fetch --json
      vmx feed set --want all --apply show
      vmx feed export feeds.opml
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var rules: FeedRuleOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Flag(help: "With 'update': check all feeds, even if not due.")
  var all = false

  @Flag(help: "With 'set': request the known episodes that the rules select.")
  var apply = false

  @Flag(help: "Read all pages of a paged feed.")
  var pages = false

  @Flag(help: "With 'export': keep tokens and other secrets in addresses.")
  var withSecrets = false

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(
    help: ArgumentHelp("The request, then feeds by id or URL.", valueName: "request"),
    completion: .list(FeedRequest.names))
  var words: [String] = []

  func perform(in context: CommandContext) throws {
    let request = try FeedRequest(words, rules, isForAll: all, isApplied: apply)
    if case .export = request {
    } else if withSecrets {
      throw Failure(.usage, "--with-secrets is only valid with 'export'")
    }
    if request == .list {
      try checkOptions(of: "list", readOnly: "list")
      return try FeedListing().perform(form, output, in: context)
    }
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let work = FeedWork(
      store: store, interruption: interruption, followsPages: pages, context)
    switch request {
    case .list: break
    case .update(let names):
      let reporter = RowReporter<OutcomeRow>(try form.form(output), in: context)
      try work.update(names, all: all, reporter)
    case .export(let file):
      try FeedLists(work).export(to: file, withSecrets: withSecrets)
    case .add, .set, .move, .remove, .link, .read:
      let reporter = RowReporter<FeedRow>(
        try form.form(output, usual: request.fields), usual: request.fields, in: context)
      switch request {
      case .add(let urls): try work.add(urls, rules: rules, to: reporter)
      case .set(let names): try work.set(names, rules: rules, isApplied: apply, to: reporter)
      case .move(let name, let url): try work.move(name, to: url, reporter)
      case .remove(let names): try work.remove(names, reporter)
      case .link(let name, let show): try work.link(name, to: show, reporter)
      case .read(let file): try FeedLists(work).read(file, rules: rules, to: reporter)
      default: break
      }
      try reporter.finish(interruptedBy: interruption)
    }
  }
}

/// The list of feeds.
private struct FeedListing {
  func perform(
    _ form: FormOptions, _ output: OutputOptions, in context: CommandContext
  ) throws {
    let reporter = RowReporter<FeedRow>(try form.form(output), in: context)
    let known = Subscriptions.all(in: try LibraryView(in: context).snapshot)
    let checks = try FeedChecks(in: context)
    for feed in known.feeds {
      try reporter.print(
        FeedRow(
          feed, checked: checks.last(of: feed)?.checked, stage: context.stage,
          now: context.clock.now),
        flushing: false)
    }
    try reporter.end()
    for note in known.notes { context.messages.note(note) }
    if known.feeds.isEmpty, context.terminal.isTerminal {
      context.messages.note("no feeds; run 'vmx feed add URL' to subscribe to one")
    }
  }
}
