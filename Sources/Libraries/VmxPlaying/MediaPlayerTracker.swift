import VmxModel

// VLC stands on the bus under two names, `vlc` and `vlc.instance7`: of names with one beginning that play
// one file, each may be silent, and both are one player.
//
// A player tells neither the end of a file nor that it goes: another file, `Stopped`, the empty line and
// silence while it plays mean the end. The last position is then at most a second old.

/// Follows the playbacks of all media players by their reports.
struct MediaPlayerTracker {
  /// The news of a playback.
  enum Event: Equatable {
    /// It came to rest, or a minute has passed: its position is worth recording.
    case rest(String, Playback)
    /// It has ended. The playback is that of the file at the path.
    case end(String, Playback)
  }

  /// The longest step in milliseconds between two reports that counts as played, not as a jump. The
  /// reports are a second apart, and people play at up to four times the speed.
  private static let longestStep: Int64 = 5000
  /// The milliseconds between two records of a position.
  private static let interval: Int64 = 60_000
  /// The milliseconds from a jump to the first question for the position, and those between two.
  private static let (firstQuestion, question): (Int64, Int64) = (2000, 30_000)
  /// The milliseconds without a report after which a player that was playing is gone.
  static let silence: Int64 = 10_000

  private struct Session {
    let file: String
    /// The milliseconds that were seen before, if the person goes on there.
    let known: Int64
    var playback: Playback
    var isPlaying: Bool
    /// The last reported position, which playerctl may have reckoned.
    var last: Int64?
    /// The milliseconds by which the player is ahead of what is reported.
    var lead: Int64 = 0
    var heard: Int64
    var recorded: Int64
    /// When the player is to be asked for its position.
    var asks: Int64
  }

  private var sessions: [String: Session] = [:]

  /// Takes a report in.
  ///
  /// - Parameters:
  ///   - now: the time on a monotonic clock, in milliseconds.
  ///   - start: returns the position in milliseconds from which a file is played on.
  mutating func take(
    _ report: MediaPlayerReport, at now: Int64, start: (String) throws -> Int64
  ) rethrows -> [Event] {
    var events: [Event] = []
    if let session = sessions[report.player], session.file != report.file {
      sessions[report.player] = nil
      events.append(.end(session.file, session.playback))
    }
    guard let file = report.file else { return events }
    let isKnown = sessions[report.player] != nil
    let player = (isKnown ? nil : alias(of: report, file)) ?? report.player
    var session =
      try sessions[player]
      ?? Session(
        file: file, known: start(file), playback: Playback(), isPlaying: false, heard: now,
        recorded: now, asks: now + Self.firstQuestion)
    if let position = report.position {
      let step = session.last.map { position.addingClamped(-$0) }
      if let step, 0...Self.longestStep ~= step {
        session.playback.seen = session.playback.seen.addingClamped(step)
      } else {
        // The report is that of a signal or of the first look; what was reckoned has ended.
        (session.lead, session.asks) = (0, min(session.asks, now + Self.firstQuestion))
        session.playback.seen = max(session.playback.seen, min(session.known, position))
      }
      session.last = position
      session.playback.position = position.addingClamped(session.lead)
    }
    session.playback.duration = report.duration ?? session.playback.duration
    let isResting = session.isPlaying && !report.isPlaying
    (session.isPlaying, session.heard) = (report.isPlaying, now)
    if isResting || now - session.recorded >= Self.interval {
      session.recorded = now
      events.append(.rest(file, session.playback))
    }
    sessions[player] = session
    return events
  }

  /// Returns the other name of the player that plays this file already; nil if there is none.
  private func alias(of report: MediaPlayerReport, _ file: String) -> String? {
    func front(_ player: String) -> Substring { player.prefix { $0 != "." } }
    return sessions.first {
      $0.value.file == file && $0.key != report.player && front($0.key) == front(report.player)
    }?.key
  }

  /// Returns the players that are to be asked for their position now: each that plays, soon after a
  /// jump and then every half a minute.
  func unsure(at now: Int64) -> [String] {
    sessions.filter { $0.value.isPlaying && now >= $0.value.asks }.keys.sorted()
  }

  /// Takes the answer of a player in.
  ///
  /// - Parameter position: its position in milliseconds; nil if it gave none.
  mutating func take(position: Int64?, of player: String, at now: Int64) {
    guard var session = sessions[player] else { return }
    session.asks = now + Self.question
    if let position, position >= 0, let last = session.last {
      session.lead = position.addingClamped(-last)
      session.playback.position = position
      session.playback.seen = max(session.playback.seen, min(session.known, position))
    }
    sessions[player] = session
  }

  /// Ends the playbacks of players that were playing and have told nothing for `silence`.
  mutating func endSilent(at now: Int64) -> [Event] {
    end { $0.isPlaying && now - $0.heard >= Self.silence }
  }

  /// Ends all playbacks: the last player has gone, or nothing is followed any longer.
  mutating func endAll() -> [Event] { end { _ in true } }

  private mutating func end(where isOver: (Session) -> Bool) -> [Event] {
    let over = sessions.filter { isOver($0.value) }.sorted {
      // Of two players with one file, the one heard last has the last word.
      ($0.value.heard, $0.key) < ($1.value.heard, $1.key)
    }
    for (player, _) in over { sessions[player] = nil }
    return over.map { .end($0.value.file, $0.value.playback) }
  }
}
