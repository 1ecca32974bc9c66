import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPlaying
import VmxPresentation
import VmxQueueing
import VmxSettings
import VmxStore
import VmxSystem

/// Sets or clears watched marks, or sets playback positions.
@main
struct MarkCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "mark",
    usage: "vmx mark [<request>] [<options>] [<id>]...",
    discussion: """
      Requests: watched, unwatched, position --at TIME; the first two also clear the position. \
      --from, --to and --follow replace the request. Without ids and filters, rows are read from \
      standard input if it is a pipe or a file.

      vmx mark watched girls/s01e02
      vmx mark position --at 12:30 girls/s01e03
      vmx list --show girls --json | vmx mark unwatched
      """)

  /// The mark that is set.
  enum Request: String, CaseIterable {
    case watched, unwatched, position
  }

  /// A program or file from which marks are imported.
  enum Source: String, CaseIterable, ExpressibleByArgument {
    case nfo, kodi
  }

  /// A program to which marks are exported.
  enum Receiver: String, CaseIterable, ExpressibleByArgument {
    case kodi
  }

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(help: ArgumentHelp("With 'position': the position; 0 is the start.", valueName: "time"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      "Import marks from NFO files or from Kodi.",
      valueName: "source"))
  var from: Source?

  @Option(help: ArgumentHelp("Export marks to Kodi.", valueName: "program"))
  var to: Receiver?

  @Flag(help: "Mark what media players play (MPRIS) until interrupted; requires playerctl.")
  var follow = false

  @Flag(help: "Run --follow in each graphical session (systemd).")
  var installLogin = false

  @Flag(help: "Remove that service.")
  var uninstall = false

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(
    help: ArgumentHelp("The request, then ids of episodes, or shows.", valueName: "request"),
    completion: .list(Request.allCases.map(\.rawValue)))
  var words: [String] = []

  func validate() throws {
    let isLogin = installLogin || uninstall
    if isLogin,
      !words.isEmpty || from != nil || to != nil || at != nil || follow || !filters.isEmpty
    {
      throw ValidationError("--install-login and --uninstall exclude marks, episodes and filters")
    }
    if installLogin, uninstall {
      throw ValidationError("--install-login and --uninstall exclude each other")
    }
    if from != nil, to != nil { throw ValidationError("--from and --to exclude each other") }
    if follow,
      !words.isEmpty || from != nil || to != nil || at != nil || isDryRun || !filters.isEmpty
    {
      throw ValidationError("--follow excludes marks, episodes and filters")
    }
  }

  func perform(in context: CommandContext) throws {
    if follow { return try PlayerFollowing(try form.form(output), lock).perform(in: context) }
    if installLogin || uninstall { return try changeLogin(in: context) }
    let goal = try requestedMark()
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context)
    let usesKodi = from == .kodi || to == .kodi
    let interruption = usesKodi ? try Interruption.install() : nil
    let store = try context.openStore(lock, until: interruption)
    let recorder = PlaybackRecorder(
      try LibraryTools(store, context.settings.files(), clock: context.clock, tool: context.stage))
    let ids = from == nil && to == nil ? Array(words.dropFirst()) : words
    let input = try InputSelection(required: ids, filters, from: store, in: context)
    let batches = MarkedBatches(
      input: input, reporter: reporter, rows: EpisodeRows(of: store, in: context))
    if let interruption {
      let kodi = try KodiSession(recorder, store: store, interruption: interruption, in: context)
      defer { kodi.close() }
      try exchange(batches, with: kodi.marks, until: interruption, in: context)
    } else if let goal {
      try batches.forEach { try recorder.set(goal, on: $0) }
    } else {
      let files = NFOMarks(recorder, zone: SystemZone())
      try batches.forEach { try files.importMarks(for: $0) }
    }
    try reporter.finish()
  }

  /// Sends the marks of the episodes to Kodi, or imports them from there.
  private func exchange(
    _ batches: MarkedBatches, with kodi: KodiMarks, until interruption: Interruption,
    in context: CommandContext
  ) throws {
    try context.ending(by: interruption) {
      if to == .kodi {
        // A signal may end the run, so results are reported soon after Kodi has confirmed them.
        try batches.forEach(largest: KodiSession.batch) { try kodi.send(for: $0) }
      } else {
        try batches.forEach { try kodi.importMarks(for: $0) }
      }
    }
    if let note = kodi.note(showsFolder: !context.parental.applies) {
      context.messages.note(note)
    }
  }

  private func changeLogin(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context)
    let service = LoginService(context)
    if uninstall {
      try service.uninstall(reporter)
    } else {
      try service.install(reporter)
    }
    try reporter.finish()
  }

  /// Returns the mark to set; nil if marks are imported or exported.
  private func requestedMark() throws(Failure) -> PlaybackRecorder.Mark? {
    let position = try at.map { text throws(Failure) in
      try SettingKind.duration(text, of: "--at")
    }
    if from != nil || to != nil {
      guard position == nil else { throw Failure(.usage, "--at excludes --from and --to") }
      return nil
    }
    guard let request = words.first.flatMap({ Request(rawValue: $0) }) else {
      throw Failure(
        .usage, words.first.map { "unknown mark '\($0)'" } ?? "no mark given",
        hint: "give watched, unwatched or position first, or --from nfo")
    }
    switch (request, position) {
    case (.watched, nil): return .watched
    case (.unwatched, nil): return .unwatched
    case (.position, let position?): return .position(position)
    case (.position, nil):
      throw Failure(.usage, "'position' requires a time", hint: "give it as --at 12:30")
    default: throw Failure(.usage, "--at is only valid with 'position'")
    }
  }
}

/// The selected episodes, in batches whose results are reported together.
private struct MarkedBatches {
  let input: InputSelection<EpisodeID>
  let reporter: RowReporter<OutcomeRow>
  let rows: EpisodeRows

  /// Performs the work on each batch, and reports its results.
  ///
  /// - Throws: the errors of the work, of standard input and of the output.
  func forEach(
    largest: Int = QueueEditor.maxBatchSize, _ work: ([EpisodeID]) throws -> [EpisodeResult]
  ) throws {
    try input.forEachBatch(largest: largest) { batch in
      try reporter.report(batch, rows, perform: work)
      return true
    }
  }
}
