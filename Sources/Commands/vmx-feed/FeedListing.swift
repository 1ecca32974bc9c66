import VmxCommand
import VmxModel
import VmxPresentation
import VmxSubscribing

/// The list of feeds.
struct FeedListing {
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
