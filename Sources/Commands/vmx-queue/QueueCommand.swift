import ArgumentParser
import VmxBrowsing
import VmxCommand
import VmxDigest
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxStore
import VmxSystem

/// Changes which episodes are wanted, and their order; every process sees the change at once.
@main
struct QueueCommand: Command {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      tool: QueueArguments.name(calledAs: ProcessStart.arguments.first),
      usage: "vmx queue <request> [<options>] [<id>]...",
      discussion: """
        Requests: add, drop, pause, resume, cancel, retry; move --first, --last or --before ID; \
        priority N; after ID ID; set keep=yes, watched=yes, metered-ok=yes. Without ids and \
        filters, rows are read from standard input if it is a pipe or a file.

        vmx queue pause girls/s01e02
        vmx queue priority 5 --show girls
        vmx queue move --first girls/s01e03
        vmx list --failed --json | vmx queue retry
        """)
  }

  static func arguments(of line: [String]) -> [String] { QueueArguments.parsed(line) }

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var filters: FilterOptions
  @OptionGroup var goal: GoalOptions
  @OptionGroup var timer: TimerOptions

  @Flag(help: "With 'after': let it wait for no other any longer.")
  var none = false

  @Flag(help: "Tell what would be done, and do nothing.")
  var dryRun = false

  @Argument(help: ArgumentHelp("What to do, and the episodes.", valueName: "request"))
  var words: [String] = []

  func perform(in context: CommandContext) throws {
    let reporter = OutcomeReporter(try form.form(output), in: context, stage: "queue")
    if try timer.isAsked() {
      guard words.isEmpty else { throw QueueRequest.usage("the timer takes no request") }
      try timer.perform(in: context, reporter, isDryRun: dryRun)
      return try conclude(reporter, in: context)
    }
    let request = try QueueRequest(words, goal, none: none)
    let store = try context.openStore(lock)
    let editor = QueueEditor(
      store: store, clock: context.clock,
      digest: { try withFile($0) { try FileDigest.of($0).whole } })
    if case .act(.mark(let marks)) = request.task, let isSet = marks[.meteredOK], marks.count == 1,
      request.operands.isEmpty, filters.isShowAlone
    {
      let shows = ShowMarks(editor: editor, isDryRun: dryRun, reporter: reporter)
      try shows.set(isSet, of: filters.show, in: try store.snapshot())
      if isSet { return try conclude(reporter, in: context) }
    }
    let input = try GivenEpisodes(request.operands, filters, in: context)
    let work = QueueWork(
      task: request.task, isDryRun: dryRun, editor: editor, reporter: reporter,
      rows: EpisodeRows(of: store, in: context))
    try work.perform(on: input, in: store)
    try conclude(reporter, in: context)
  }

  private func conclude(_ reporter: OutcomeReporter, in context: CommandContext) throws {
    if dryRun { context.messages.note("nothing was changed: this was a rehearsal") }
    try reporter.conclude()
  }
}

extension FilterOptions {
  /// Whether whole shows were given, without other filters.
  fileprivate var isShowAlone: Bool {
    var others = self
    others.show = []
    return !show.isEmpty && others.isEmpty
  }
}
