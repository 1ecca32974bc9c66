import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPlaying
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Marks what the media players of the desktop play, until a signal ends the tool.
struct PlayerFollowing {
  private let form: OutputForm<PlayField>
  private let lock: LockOptions

  init(_ form: OutputForm<PlayField>, _ lock: LockOptions) {
    self.form = form
    self.lock = lock
  }

  /// Follows the players, and prints the end of each playback of an episode.
  ///
  /// - Throws: `program-missing`, `program-failed`, and errors that concern the whole run.
  func perform(in context: CommandContext) throws {
    let program = try Self.program(in: context)
    let reporter = RowReporter<PlayRow>(form, in: context)
    let interruption = try Interruption.install()
    ignoreBrokenPipes()
    let store = try context.openStore(lock, until: interruption)
    let players = MediaPlayers(
      program, environment: context.environment.variables,
      recorder: PlaybackRecorder(
        try LibraryTools(store, context.settings.files(), clock: context.clock, tool: context.stage)
      ),
      rule: WatchedRule(percent: try context.settings.integer(.playWatched)),
      interruption: interruption)
    try players.follow { ending in
      let episode = ending.episode
      let result = ending.failure.map { OperationResult($0) } ?? .done
      let position = try store.snapshot().playbackPosition(of: episode.id)
      let row = PlayRow(
        episode, result, position: position?.milliseconds,
        duration: ending.playback.duration ?? episode.duration, stage: context.stage,
        received: JSONObject())
      try reporter.report(result, row, of: episode.id.description)
    }
    try reporter.finish(interruptedBy: interruption)
  }

  /// Returns the path of playerctl.
  ///
  /// - Throws: `program-missing`.
  static func program(in context: CommandContext) throws(Failure) -> FilePath {
    if let program = context.environment.program("playerctl") { return program }
    throw Failure(
      .programMissing, "'playerctl' is not in PATH",
      hint: "install the package playerctl; for mpv also mpv-mpris")
  }
}
