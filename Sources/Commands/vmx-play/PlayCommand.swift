import ArgumentParser
import SystemPackage
import VmxCommand
import VmxFetching
import VmxLibrary
import VmxModel
import VmxPlaying
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Plays episodes, and records playback positions.
@main
struct PlayCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "play", usage: "vmx play [<options>] [<id>]...",
    discussion: """
      Plays with the player in VMX_PLAYER or player.command, else mpv, else VLC, and resumes where \
      the last playback ended. Only mpv reports its position. Without ids, rows are read from \
      standard input if it is a pipe or a file.

      vmx play girls/s01e02
      vmx play --next girls
      vmx list --show girls --no-watched --json | vmx play
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Option(
    help: ArgumentHelp(
      "Play the first unwatched episode of this show, by slug or title.",
      valueName: "show"))
  var next: String?

  @Flag(help: "Play a random unwatched episode.")
  var random = false

  @Flag(help: "Play from the start.")
  var fromStart = false

  @Argument(help: "Ids of episodes, or shows by slug or full title.")
  var ids: [String] = []

  func validate() throws {
    guard [!ids.isEmpty, next != nil, random].count(where: { $0 }) < 2 else {
      throw ValidationError("ids, --next and --random exclude each other")
    }
  }

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<PlayRow>(try form.form(output), in: context)
    let interruption = try Interruption.install()
    ignoreBrokenPipes()
    for id in ids.compactMap(EpisodeID.init(typed:)) { _ = try context.parental.checked(id) }
    let program = try PlayerProgram(
      variable: context.environment[PlayerProgram.variable],
      setting: context.settings.text(.playerCommand)
    ) { context.environment.program($0) }
    let store = try context.openStore(lock, until: interruption)
    let network = try LicenceNetwork(
      store, context.settings,
      environment: FetchEnvironment(
        clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
        interruption: interruption),
      isBrief: true
    ) { context.messages.note($0) }
    defer { network.close() }
    let session = try PlayingSession(
      store, program: program, interruption: interruption, licences: network.service,
      fromStart: fromStart, in: context)
    if next != nil || random {
      let episode = try chosen(from: session.store.snapshot(), in: context)
      _ = try session.play(episode, for: JSONObject(), to: reporter)
    } else {
      let selection = try InputSelection(required: ids, ofShows: .withVideo, in: context)
      var isGoingOn = true
      let view = try LibraryView(try session.store.snapshot(), of: session.store, in: context)
      try view.forEachNamed(in: selection, reporter: reporter) { episode, row in
        isGoingOn = try session.play(episode, for: row.received, to: reporter)
        return isGoingOn
      }
    }
    try reporter.finish(interruptedBy: interruption)
  }

  private func chosen(
    from snapshot: StoreSnapshot, in context: CommandContext
  ) throws -> Episode {
    let isAllowed = context.parental.allows as (Episode) -> Bool
    if let next {
      try context.requireShows([next], in: snapshot)
      return try snapshot.nextUnwatched(of: next, where: isAllowed)
    }
    var generator = SystemRandomNumberGenerator()
    return try snapshot.randomUnwatched(using: &generator, where: isAllowed)
  }
}
