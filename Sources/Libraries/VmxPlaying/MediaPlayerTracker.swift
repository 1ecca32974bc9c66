import VmxModel

// VLC registers two bus names, `vlc` and `vlc.instance7`, and either may be silent. Names with a
// common first component that play the same file are therefore treated as one player.
//
// Players signal neither the end of a file nor their exit. A different file, `Stopped`, an empty
// line, or silence during playback means the end. The last known position is then at most one
// second old.

/// Tracks the playbacks of all media players from their reports.
struct MediaPlayerTracker {
  /// A change in a playback that must be recorded.
  enum Event: Equatable {
    /// The playback was paused, or a minute has passed since the last record.
    case checkpoint(String, Playback)
    /// The playback of the file at the path has ended.
    case end(String, Playback)
  }

  /// The maximum milliseconds between two reported positions that count as played, not as a jump.
  /// Reports are one second apart, and users play at up to four times the normal speed.
  private static let maxStep: Int64 = 5000
  /// The milliseconds between two records of a position.
  private static let interval: Int64 = 60_000
  /// The milliseconds from a jump to the first position query, and between further queries.
  private static let (firstQuestion, question): (Int64, Int64) = (2000, 30_000)
  /// The milliseconds without a report after which a playing player counts as gone.
  static let reportTimeout: Int64 = 10_000

  private struct Session {
    let file: String
    /// The resume position in milliseconds, which counts as seen if the playback continues there.
    let known: Int64
    var playback: Playback
    var isPlaying: Bool
    /// The last reported position, possibly extrapolated by playerctl.
    var last: Int64?
    /// The milliseconds by which the queried position is ahead of the reported one.
    var positionOffset: Int64 = 0
    var lastReport: Int64
    var recorded: Int64
    /// The time of the next position query.
    var nextQuery: Int64
  }

  private var sessions: [String: Session] = [:]

  /// Processes a report.
  ///
  /// - Parameters:
  ///   - now: the time on a monotonic clock, in milliseconds.
  ///   - start: returns the resume position of a file in milliseconds.
  mutating func process(
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
        file: file, known: start(file), playback: Playback(), isPlaying: false, lastReport: now,
        recorded: now, nextQuery: now + Self.firstQuestion)
    if let position = report.position {
      let step = session.last.map { position.addingClamped(-$0) }
      if let step, 0...Self.maxStep ~= step {
        session.playback.seen = session.playback.seen.addingClamped(step)
      } else {
        // A jump, or the first report: a previous correction (`positionOffset`) no longer applies.
        (session.positionOffset, session.nextQuery) = (
          0, min(session.nextQuery, now + Self.firstQuestion)
        )
        session.playback.seen = max(session.playback.seen, min(session.known, position))
      }
      session.last = position
      session.playback.position = position.addingClamped(session.positionOffset)
    }
    session.playback.duration = report.duration ?? session.playback.duration
    let awaitsEvent = session.isPlaying && !report.isPlaying
    (session.isPlaying, session.lastReport) = (report.isPlaying, now)
    if awaitsEvent || now - session.recorded >= Self.interval {
      session.recorded = now
      events.append(.checkpoint(file, session.playback))
    }
    sessions[player] = session
    return events
  }

  /// Returns the other bus name of the player that already plays this file; nil if there is none.
  private func alias(of report: MediaPlayerReport, _ file: String) -> String? {
    func front(_ player: String) -> Substring { player.prefix { $0 != "." } }
    return sessions.first {
      $0.value.file == file && $0.key != report.player && front($0.key) == front(report.player)
    }?.key
  }

  /// Returns the players whose position must be queried now: every playing player, soon after a
  /// jump and then every 30 seconds.
  func playersToQuery(at now: Int64) -> [String] {
    sessions.filter { $0.value.isPlaying && now >= $0.value.nextQuery }.keys.sorted()
  }

  /// Processes the response to a position query.
  ///
  /// - Parameter position: the position in milliseconds; nil if the player reported none.
  mutating func process(position: Int64?, of player: String, at now: Int64) {
    guard var session = sessions[player] else { return }
    session.nextQuery = now + Self.question
    if let position, position >= 0, let last = session.last {
      session.positionOffset = position.addingClamped(-last)
      session.playback.position = position
      session.playback.seen = max(session.playback.seen, min(session.known, position))
    }
    sessions[player] = session
  }

  /// Ends the playbacks of playing players that sent no report for `reportTimeout` milliseconds.
  mutating func endTimedOut(at now: Int64) -> [Event] {
    end { $0.isPlaying && now - $0.lastReport >= Self.reportTimeout }
  }

  /// Ends all playbacks, because the last player exited or the follower stops.
  mutating func endAll() -> [Event] { end { _ in true } }

  private mutating func end(where isOver: (Session) -> Bool) -> [Event] {
    let over = sessions.filter { isOver($0.value) }.sorted {
      // If two players play the same file, the position of the one heard last is recorded last.
      ($0.value.lastReport, $0.key) < ($1.value.lastReport, $1.key)
    }
    for (player, _) in over { sessions[player] = nil }
    return over.map { .end($0.value.file, $0.value.playback) }
  }
}
