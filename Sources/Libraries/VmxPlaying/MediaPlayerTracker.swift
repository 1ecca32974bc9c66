import VmxModel

// VLC stands on the bus under two names, `vlc` and `vlc.instance7`: of names with one beginning that play
// one file, the first one counts.
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
  /// The milliseconds without a report after which a player that was playing is gone.
  static let silence: Int64 = 10_000

  private struct Session {
    let file: String
    /// The milliseconds that were seen before, if the person goes on there.
    let known: Int64
    var playback: Playback
    var isPlaying: Bool
    var last: Int64?
    var heard: Int64
    var recorded: Int64
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
    if sessions[report.player] == nil, let alias = alias(of: report, file) {
      sessions[alias]?.heard = now
      return events
    }
    var session =
      try sessions[report.player]
      ?? Session(
        file: file, known: start(file), playback: Playback(), isPlaying: false, heard: now,
        recorded: now)
    if let position = report.position {
      let step = session.last.map { position.addingClamped(-$0) }
      if let step, 0...Self.longestStep ~= step {
        session.playback.seen = session.playback.seen.addingClamped(step)
      } else {
        session.playback.seen = max(session.playback.seen, min(session.known, position))
      }
      (session.last, session.playback.position) = (position, position)
    }
    session.playback.duration = report.duration ?? session.playback.duration
    let isResting = session.isPlaying && !report.isPlaying
    (session.isPlaying, session.heard) = (report.isPlaying, now)
    if isResting || now - session.recorded >= Self.interval {
      session.recorded = now
      events.append(.rest(file, session.playback))
    }
    sessions[report.player] = session
    return events
  }

  /// Returns the other name of the player that plays this file already; nil if there is none.
  private func alias(of report: MediaPlayerReport, _ file: String) -> String? {
    func front(_ player: String) -> Substring { player.prefix { $0 != "." } }
    return sessions.first {
      $0.value.file == file && $0.key != report.player && front($0.key) == front(report.player)
    }?.key
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
