package import VmxLibrary
package import VmxModel
import VmxQueueing
import VmxStore
import VmxSystem

/// Records playbacks and watched marks.
///
///     let recorder = PlaybackRecorder(tools)
///     let results = try recorder.set(.watched, on: ids)
package struct PlaybackRecorder: Sendable {
  /// A mark of an episode, set by the user or by the end of a playback.
  package enum Mark: Sendable, Equatable {
    /// The episode is watched. This clears its position.
    case watched
    /// The episode is not watched. This clears its position.
    case unwatched
    /// The resume position in milliseconds; 0 is the start.
    case position(Int64)
  }

  let store: LibraryStore
  let clock: any WallClock
  private let editor: QueueEditor
  private let writesNFO: Bool

  /// Creates a recorder for a library; the settings of NFO files decide whether marks and positions
  /// are written to them.
  package init(_ tools: LibraryTools) {
    store = tools.store
    clock = tools.clock
    editor = QueueEditor(tools)
    writesNFO = editor.sidecars.includesWatched
  }

  /// Sets a mark of each episode, in order.
  ///
  /// - Parameter moment: the time recorded for the mark; nil for the current time.
  /// - Returns: the result for each episode, durable.
  /// - Throws: store errors.
  package func set(
    _ mark: Mark, on ids: [EpisodeID], at moment: Timestamp? = nil
  ) throws -> [EpisodeResult] {
    if case .position(let position) = mark {
      return try ids.map { try move($0, to: position, at: moment, isByHand: true) }
    }
    let results = try editor.perform(
      .mark([.watched: mark == .watched]), on: ids, at: moment)
    return try results.map { result in
      guard result.result.failure == nil, let id = result.episode?.id,
        try move(id, to: 0, at: moment).result == .done
      else { return result }
      return EpisodeResult(id, .done, episode: result.episode, notes: result.notes)
    }
  }

  /// Records the position of a playback in progress. The record is durable only after the next
  /// durable change or the end of the playback.
  ///
  /// - Throws: store errors.
  package func recordPosition(_ playback: Playback, of id: EpisodeID) throws {
    guard let milliseconds = playback.position else { return }
    let position = PlaybackPosition(
      milliseconds: milliseconds, duration: playback.duration, at: clock.now)
    try store.update(.soon) { transaction in
      guard let episode = try transaction.episode(id) else { return }
      transaction.write(
        StoredRecord(kind: .position, id: episode.id.description, fields: position.record))
    }
  }

  /// Records the end of a playback; durable on return.
  ///
  /// - Returns: the verdict of the rule, and the episode as recorded afterwards.
  /// - Throws: store errors; `no-such-episode` if the episode was removed in the meantime.
  package func end(
    _ playback: Playback, of id: EpisodeID, by rule: WatchedRule
  ) throws -> (verdict: WatchedRule.Verdict, result: EpisodeResult) {
    let verdict = rule.verdict(on: playback)
    if playback.position != nil || playback.isFinished {
      try store.update(.durable, room: .useReserve) { transaction in
        guard let episode = try transaction.episode(id) else { return }
        transaction.recordEvent(of: playback, of: episode)
      }
    }
    let result: EpisodeResult
    switch verdict {
    case .watched: result = try set(.watched, on: [id])[0]
    case .position(let position):
      result = try move(id, to: position, duration: playback.duration)
    case .fromStart: result = try move(id, to: 0)
    case .unknown:
      guard let episode = try store.snapshot().episode(id) else { throw Failure.noSuchEpisode(id) }
      result = EpisodeResult(episode, .unchanged())
    }
    if let failure = result.result.failure { throw failure }
    return (verdict, result)
  }

  /// Records a resume position; 0 is the start.
  ///
  /// - Parameter isByHand: whether the user set it without a playback: servers of `vmx sync` have
  ///   no other event for it than a play.
  private func move(
    _ id: EpisodeID, to position: Int64, duration: Int64? = nil,
    at moment: Timestamp? = nil, isByHand: Bool = false
  ) throws -> EpisodeResult {
    let snapshot = try store.snapshot()
    guard let episode = try snapshot.episode(id) else {
      return EpisodeResult(id, .failed(Failure.noSuchEpisode(id)))
    }
    let before = snapshot.playbackPosition(of: episode.id)
    guard position != before?.milliseconds ?? 0 else {
      return EpisodeResult(episode, .unchanged())
    }
    guard !store.isDryRun else { return EpisodeResult(episode, .done) }
    let after = PlaybackPosition(
      milliseconds: position, duration: duration ?? before?.duration ?? episode.duration,
      at: moment ?? clock.now)
    try store.update(.durable, room: .useReserve) { transaction in
      guard let episode = try transaction.episode(id) else { return }
      let key = episode.id.description
      if position == 0 {
        transaction.delete(.position, key)
      } else {
        transaction.write(StoredRecord(kind: .position, id: key, fields: after.record))
        guard isByHand else { return }
        var playback = Playback(from: position)
        (playback.position, playback.duration) = (position, after.duration)
        transaction.recordEvent(of: playback, of: episode, for: .sync)
      }
    }
    if writesNFO { try editor.sidecars.writeMarks(of: episode.id) }
    return EpisodeResult(episode, .done)
  }
}
