import ArgumentParser
import VmxCommand
import VmxModel
import VmxPlaying
import VmxPresentation
import VmxQueueing
import VmxStore
import VmxSystem

/// Marks episodes as watched or not, or where to go on.
@main
struct MarkCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "mark", usage: "vmx mark watched|unwatched|position [<options>] [<id>]...",
    discussion: """
      'watched' and 'unwatched' also forget the position. Without ids and filters, rows are read \
      from standard input if it is a pipe or a file.

      vmx mark watched girls/s01e02
      vmx mark position --at 12:30 girls/s01e03
      vmx list --show girls --json | vmx mark unwatched
      """)

  /// The mark that is set.
  enum Request: String, CaseIterable, ExpressibleByArgument {
    case watched, unwatched, position
  }

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(help: ArgumentHelp("With 'position': where to go on; 0 is the start.", valueName: "time"))
  var at: String?

  @Flag(name: [.customShort("n"), .long], help: "Tell what would be done, and change nothing.")
  var dryRun = false

  @Argument(help: "What to say of them.")
  var request: Request

  @Argument(help: "The episodes.")
  var ids: [String] = []

  func perform(in context: CommandContext) throws {
    let mark = try mark()
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context, isDryRun: dryRun)
    let store = try context.openStore(lock)
    let recorder = PlaybackRecorder(store: store, clock: context.clock)
    let input = try InputSelection(required: ids, filters, from: store, in: context)
    let rows = EpisodeRows(of: store, in: context)
    try input.forEachBatch(largest: QueueEditor.largestBatch) { batch in
      try reporter.report(batch, rows) { try recorder.set(mark, on: $0, isDryRun: dryRun) }
      return true
    }
    if dryRun { context.noteDryRun() }
    try reporter.conclude()
  }

  private func mark() throws(Failure) -> PlaybackRecorder.Mark {
    let position = try at.map { text throws(Failure) in
      try SettingKind.duration(text, of: "--at")
    }
    switch (request, position) {
    case (.watched, nil): return .watched
    case (.unwatched, nil): return .unwatched
    case (.position, let position?): return .position(position)
    case (.position, nil):
      throw Failure(.usage, "'position' wants a time", hint: "give it as --at 12:30")
    default: throw Failure(.usage, "--at belongs to 'position'")
    }
  }
}
