import Glibc
package import SystemPackage
import VmxLibrary
package import VmxModel
import VmxStore
package import VmxSystem

// playerctl speaks D-Bus; vmx reads its output lines, so that no D-Bus library is linked. One
// playerctl process follows all players of the session for the lifetime of vmx. It extrapolates the
// position from the last signal by its clock. This ignores the playback speed and jumps that a
// player does not signal (VLC at its start). A second process therefore queries the position after
// a jump and every 30 seconds.

/// Follows the media players of the desktop session and records what they play.
///
///     let players = MediaPlayers(
///       playerctl, environment: variables, recorder: recorder, rule: rule,
///       interruption: interruption)
///     try players.follow { ending in print(ending.episode.id) }
package struct MediaPlayers {
  /// The end of a playback of an episode.
  package struct Ending: Sendable {
    /// The playback as reported by the player.
    package let playback: Playback
    /// The episode as recorded afterwards.
    package let episode: Episode
    /// The reason why the playback was not recorded; nil if it was.
    package let failure: Failure?
  }

  /// The milliseconds that playerctl has to connect to the bus.
  private static let connectTimeout: Int64 = 10_000

  private let program: FilePath
  private let environment: [String: String]
  private let recorder: PlaybackRecorder
  private let rule: WatchedRule
  private let interruption: Interruption

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - program: the executable of playerctl.
  ///   - environment: the environment variables of playerctl, which name the session bus.
  package init(
    _ program: FilePath, environment: [String: String], recorder: PlaybackRecorder,
    rule: WatchedRule, interruption: Interruption
  ) {
    self.program = program
    self.environment = environment
    self.recorder = recorder
    self.rule = rule
    self.interruption = interruption
  }

  /// Follows all players until a stop is requested.
  ///
  /// - Parameter report: called at the end of each playback of an episode that is long enough to be
  ///   recorded.
  /// - Throws: `program-failed` if playerctl exits on its own, `unknown-command` if it cannot be
  ///   started, store errors, and the errors of `report`.
  package func follow(report: (Ending) throws -> Void) throws {
    try checkBus()
    let (own, other) = try socketPair(for: program)
    defer { _ = Glibc.close(own.rawValue) }
    let running: SpawnedProgram
    do {
      defer { _ = Glibc.close(other.rawValue) }
      running = try SpawnedProgram.start(
        ProgramCall(
          program,
          ["--all-players", "--follow", "metadata", "--format", MediaPlayerReport.format],
          environment: environment.map { "\($0)=\($1)" }), output: other)
    }
    var reader = LineReader(own)
    var tracker = MediaPlayerTracker()
    do {
      while !interruption.isRequested {
        let next = Deadline(milliseconds: MediaPlayerTracker.reportTimeout / 2)
        if reader.waits(until: next, or: interruption) {
          guard let lines = reader.read() else { break }
          for line in lines { try process(line, tracker: &tracker, report: report) }
        }
        for player in tracker.playersToQuery(at: Deadline.nowMilliseconds) {
          let position = try position(of: player)
          tracker.process(position: position, of: player, at: Deadline.nowMilliseconds)
        }
        try record(tracker.endTimedOut(at: Deadline.nowMilliseconds), report)
      }
      try record(tracker.endAll(), report)
    } catch {
      _ = running.wait(until: Deadline(milliseconds: 0), or: nil)
      throw error
    }
    let wasAsked = interruption.isRequested
    let end = running.wait(until: Deadline(milliseconds: wasAsked ? 0 : 1000), or: nil)
    if !wasAsked, !interruption.isRequested {
      if case .ended(.exited(let status)) = end {
        throw Self.failure("'playerctl' exited with status \(status)")
      }
      throw Self.failure("'playerctl' was killed")
    }
  }

  /// Throws if playerctl finds no bus. With `--follow`, playerctl would wait forever.
  private func checkBus() throws {
    let captured = try SpawnedProgram.captureOutput(
      of: ProgramCall(program, ["--list-all"], environment: environment.map { "\($0)=\($1)" }),
      limit: 4096,
      until: Deadline(milliseconds: Self.connectTimeout))
    guard case .ended(.exited(0), _, _) = captured else {
      var words = "does not respond"
      if case .ended(_, let output, let errors) = captured {
        let text = String(decoding: errors + output, as: UTF8.self)
        words = "finds no bus: \(text.split(separator: "\n").first ?? "")"
      }
      throw Self.failure("'playerctl' \(words)")
    }
  }

  /// Queries the position of a player with a separate process; nil if the player reports none.
  private func position(of player: String) throws -> Int64? {
    let captured = try SpawnedProgram.captureOutput(
      of: ProgramCall(
        program, ["--player=\(player)", "position"],
        environment: environment.map { "\($0)=\($1)" }), limit: 256,
      until: Deadline(milliseconds: Self.connectTimeout / 5))
    guard case .ended(.exited(0), let output, _) = captured,
      let seconds = Double(String(decoding: output.prefix { $0 > 0x20 }, as: UTF8.self)),
      seconds >= 0, seconds < 1e9
    else { return nil }
    return Int64((seconds * 1000).rounded())
  }

  private func process(
    _ line: [UInt8], tracker: inout MediaPlayerTracker,
    report: (Ending) throws -> Void
  ) throws {
    if line.isEmpty { return try record(tracker.endAll(), report) }
    guard let state = MediaPlayerReport(line) else { return }
    let events = try tracker.process(state, at: Deadline.nowMilliseconds) { file in
      let snapshot = try recorder.store.snapshot()
      let episode = try snapshot.episode(ofVideo: FilePath(file))
      return episode.flatMap { snapshot.playbackPosition(of: $0.id)?.milliseconds } ?? 0
    }
    try record(events, report)
  }

  private func record(
    _ events: [MediaPlayerTracker.Event], _ report: (Ending) throws -> Void
  ) throws {
    for event in events {
      switch event {
      case .checkpoint(let file, let playback):
        // A short playback at the start must not overwrite the position of an earlier playback.
        guard case .position = rule.verdict(on: playback), let episode = try episode(file)
        else { continue }
        try recorder.recordPosition(playback, of: episode.id)
      case .end(let file, let playback):
        let verdict = rule.verdict(on: playback)
        guard verdict != .fromStart, verdict != .unknown, let episode = try episode(file)
        else { continue }
        try report(end(playback, of: episode))
      }
    }
  }

  private func episode(_ file: String) throws -> Episode? {
    try recorder.store.snapshot().episode(ofVideo: FilePath(file))
  }

  private func end(_ playback: Playback, of episode: Episode) -> Ending {
    do {
      let (_, result) = try recorder.end(playback, of: episode.id, by: rule)
      return Ending(playback: playback, episode: result.episode ?? episode, failure: nil)
    } catch {
      return Ending(playback: playback, episode: episode, failure: Failure(error))
    }
  }

  private static func failure(_ summary: String) -> Failure {
    Failure(
      .programFailed, summary,
      hint: "run 'vmx mark --follow' in a desktop session, where 'playerctl --list-all' works")
  }
}
