package import VmxModel
package import VmxStore

/// Brings one episode after another to `ready`, each from claim to outcome on the calling thread.
package struct EpisodeWorker: Sendable {
  private let store: LibraryStore
  private let bytes: any PartBytes
  private let runner: Runner
  private let clock: any WallClock

  /// A worker on a store.
  package init(store: LibraryStore, bytes: any PartBytes, clock: any WallClock) {
    self.store = store
    self.bytes = bytes
    self.clock = clock
    runner = Runner(machines, journal: StoreJournal(store), clock: clock)
  }

  /// Works on an episode until it rests.
  ///
  /// - Parameter asked: the person named it: `none` becomes `fetch`, what failed or waits is
  ///   tried again.
  /// - Returns: its outcome; `unchanged` with `lock-busy` if another worker has it.
  package func work(on id: EpisodeID, asked: Bool) -> EpisodeOutcome {
    do {
      // An alias must not be claimed in the place of the episode it leads to.
      let id = try store.snapshot().resolve(id) ?? id
      guard let claim = try store.claims.claim(id) else {
        let episode = try store.snapshot().episode(id)
        return EpisodeOutcome(
          id, .unchanged, episode, Failure(.lockBusy, "'\(id)' is being worked on"))
      }
      defer { claim.release() }
      return try workClaimed(id, asked: asked)
    } catch {
      return EpisodeOutcome(id, .failed, nil, Failure(error))
    }
  }

  private func workClaimed(_ id: EpisodeID, asked: Bool) throws -> EpisodeOutcome {
    var episode = try takeUp(id, asked: asked)
    guard episode.want == .fetch else {
      return EpisodeOutcome(id, .unchanged, episode, Self.refusal(by: episode))
    }
    let before = episode
    var segments: [String: [Digest]] = [:]
    var end: WorkEnded?
    for index in Self.order(of: episode.parts) where !episode.parts[index].state.isResting {
      var context = PartContext(episode, part: index, bytes: bytes)
      do {
        try runner.runThroughWaits(&context)
        segments[context.part.name] = context.found?.segments
      } catch let ended as WorkEnded {
        end = ended
        episode = context.episode
        break
      }
      episode = context.episode
    }
    if episode != before { bytes.remember(episode, segments: segments) }
    if case .postponed(let failure) = end, episode.state != .ready {
      return EpisodeOutcome(id, .waiting, episode, failure)
    }
    return Self.outcome(of: episode, before: before, wasInterrupted: end == .interrupted)
  }

  /// Lifts what waits or failed back to `queued`, where it may go on, in one step.
  private func takeUp(_ id: EpisodeID, asked: Bool) throws -> Episode {
    let now = clock.now
    return try store.update(.soon) { transaction throws -> Episode in
      guard var episode = try transaction.episode(id) else {
        throw Failure(.noSuchEpisode, "no such episode: '\(id)'")
      }
      guard episode.id == id else {
        throw Failure(.lockBusy, "'\(id)' was just renamed to '\(episode.id)'")
      }
      if asked, episode.want == .none { episode.want = .fetch }
      guard episode.want == .fetch else { return episode }
      for index in episode.parts.indices
      where episode.parts[index].beneath != nil
        && episode.parts[index].isWorkable(now: now, asked: asked)
      {
        let from = episode.parts[index].state
        episode.parts[index].enter(.queued)
        episode.remember(
          Transition(at: now, part: episode.parts[index].name, from: from, to: .queued))
      }
      return transaction.recorded(episode)
    }
  }

  /// Required parts first: what makes the episode `ready` does not wait for a picture.
  private static func order(of parts: [Part]) -> [Int] {
    parts.indices.filter { parts[$0].isRequired } + parts.indices.filter { !parts[$0].isRequired }
  }

  private static func refusal(by episode: Episode) -> Failure? {
    switch episode.want {
    case .fetch, .none: nil
    case .hold: Failure(.held, "'\(episode.id)' is on hold")
    case .gone: Failure(.held, "'\(episode.id)' was removed on purpose")
    }
  }

  private static func outcome(
    of episode: Episode, before: Episode, wasInterrupted: Bool
  ) -> EpisodeOutcome {
    let speaking = episode.speakingPart
    let failure = speaking?.code.map { code in
      Failure(code, speaking?.message ?? code.entry.sentence, retryAt: speaking?.until)
    }
    let word: EpisodeOutcome.Word =
      switch episode.state {
      case .ready: before.state == .ready && before.lacks == episode.lacks ? .unchanged : .done
      case .waiting: .waiting
      case .failed: .failed
      default: .unchanged
      }
    return EpisodeOutcome(
      episode.id, word, episode, failure, wasInterrupted: wasInterrupted)
  }
}
