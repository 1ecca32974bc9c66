import SystemPackage
import VmxCommand
import VmxLibrary
import VmxLicence
import VmxModel
import VmxPlaying
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem

/// Plays one episode after another with one player.
struct PlayingSession {
  let store: LibraryStore
  private let program: PlayerProgram
  private let player: Player
  private let recorder: PlaybackRecorder
  private let rule: WatchedRule
  private let fromStart: Bool
  private let interruption: Interruption
  private let licences: LicenceService
  private let context: CommandContext

  init(
    _ store: LibraryStore, program: PlayerProgram, interruption: Interruption,
    licences: LicenceService, fromStart: Bool, in context: CommandContext
  ) throws(Failure) {
    self.store = store
    self.program = program
    self.licences = licences
    rule = WatchedRule(percent: try context.settings.integer(.playWatched))
    self.fromStart = fromStart
    self.interruption = interruption
    self.context = context
    player = Player(
      program, environment: context.environment.variables, usesTerminal: context.isInteractive,
      interruption)
    recorder = PlaybackRecorder(
      try LibraryTools(store, context.settings.files(), clock: context.clock, tool: context.stage))
  }

  /// Plays an episode, records the playback, and reports it.
  ///
  /// - Returns: whether to play the next episode; false if the user has quit the player.
  /// - Throws: `output-failed`.
  func play(
    _ episode: Episode, for received: JSONObject, to reporter: RowReporter<PlayRow>
  ) throws -> Bool {
    do {
      return try played(episode, for: received, to: reporter)
    } catch let error as OutputError {
      throw error
    } catch {
      let failure = Failure(error)
      let snapshot = try store.snapshot()
      let position = snapshot.playbackPosition(of: episode.id)
      try reporter.report(
        .failed(failure),
        PlayRow(
          episode, .failed(failure), position: position?.milliseconds,
          duration: position?.duration ?? episode.duration, stage: context.stage,
          received: received),
        of: episode.id.description)
      return !interruption.isRequested && failure.code != .unknownCommand
    }
  }

  private func played(
    _ episode: Episode, for received: JSONObject, to reporter: RowReporter<PlayRow>
  ) throws -> Bool {
    // A play period that begins with the first play starts here, even if the playback then fails.
    for note in try licences.admitPlay(of: episode.id) { context.messages.note(note) }
    // The claim is shared with verify and export; rm, clean and repair wait for the end.
    guard let claim = try store.claims.claim(episode.id, .shared) else {
      throw Failure.inUse(episode.id)
    }
    defer { claim.release() }
    let snapshot = try store.snapshot()
    let file = try file(of: episode, in: snapshot)
    let ending = try player.play(file) { playback in
      do {
        try recorder.recordPosition(playback, of: episode.id)
      } catch {
        // A full disk does not end the playback. Recording the end fails too, and reports it.
      }
    }
    // Recording writes the sidecar and the NFO file, under a claim of its own.
    claim.release()
    let playback = ending.playback
    let (verdict, result) = try recorder.end(playback, of: episode.id, by: rule)
    if let problem = playback.problem {
      throw Failure(.playFailed, "'\(program.name)' cannot play '\(file.video)': \(problem)")
    }
    if verdict == .unknown, ending.status != 0, !interruption.isRequested {
      let end = ending.status.map { "exited with status \($0)" } ?? "was killed"
      throw Failure(.playFailed, "'\(program.name)' \(end)")
    }
    if program.kind != .mpv {
      context.messages.note(
        "'\(program.name)' reports no position; run 'vmx mark watched \(episode.id)' to mark it"
      )
    }
    let position = try store.snapshot().playbackPosition(of: episode.id)
    let recorded = result.episode ?? episode
    try reporter.report(
      .done,
      PlayRow(
        recorded, .done, position: position?.milliseconds,
        duration: playback.duration ?? recorded.duration, stage: context.stage,
        received: received),
      of: episode.id.description)
    return (playback.isFinished || program.kind != .mpv) && !interruption.isRequested
  }

  private func file(of episode: Episode, in snapshot: StoreSnapshot) throws -> PlayableFile {
    guard let video = episode.parts.first(where: { $0.role == .video }) else {
      throw Failure(.noFile, "'\(episode.id)' has no video")
    }
    let path = try snapshot.mediaFile(of: video, of: episode)
    let subtitles = episode.playableSubtitles.compactMap { part -> FilePath? in
      do {
        return try snapshot.mediaFile(of: part, of: episode)
      } catch {
        context.messages.note(Failure(error).summary)
        return nil
      }
    }
    let title = [episode.showTitle, episode.title].filter { !$0.isEmpty }.joined(separator: ": ")
    return PlayableFile(
      video: path, subtitles: subtitles,
      title: TerminalText.escaped(title.isEmpty ? episode.id.description : title),
      start: fromStart ? 0 : snapshot.playbackPosition(of: episode.id)?.start ?? 0)
  }
}
