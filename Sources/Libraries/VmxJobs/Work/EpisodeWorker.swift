package import VmxModel
package import VmxStore

/// Brings one episode after another to `ready`, each from claim to outcome on the calling thread.
package struct EpisodeWorker: Sendable {
  private let store: LibraryStore
  private let bytes: any PartBytes
  private let runner: Runner
  private let clock: any WallClock
  private let order: WorkOrder
  private let cancelled: CancelledFiles
  private let removal: EpisodeRemover
  private let due: @Sendable () -> DueRule

  /// A worker on a store.
  ///
  /// - Parameters:
  ///   - order: what is asked of every episode that it works on.
  ///   - removal: takes away what another process asks to be removed meanwhile.
  ///   - due: decides what is due at the moment of the call; without a window where nil.
  package init(
    store: LibraryStore, bytes: any PartBytes, clock: any WallClock, removal: EpisodeRemover,
    order: WorkOrder = WorkOrder(), due: (@Sendable () -> DueRule)? = nil
  ) {
    self.store = store
    self.bytes = bytes
    self.clock = clock
    self.order = order
    self.removal = removal
    self.due = due ?? { DueRule(now: clock.now) }
    cancelled = CancelledFiles(in: store, digest: removal.digest)
    runner = Runner(machines, journal: StoreJournal(store, of: .fetch), clock: clock)
  }

  /// Works on an episode until it rests.
  ///
  /// - Parameter asked: the person named it: `none` becomes `fetch`, what failed or waits is
  ///   tried again.
  /// - Returns: its outcome; `unchanged` with `lock-busy` if another worker has it.
  package func work(on id: EpisodeID, asked: Bool) -> EpisodeOutcome {
    do {
      var claim = try store.claims.claim(id)
      while claim == nil, try bytes.waitForClaim() { claim = try store.claims.claim(id) }
      guard let claim else {
        let failure = Failure(
          .lockBusy, "'\(id)' is being worked on",
          hint: "another worker goes on with it; 'vmx status' shows how far it is")
        return EpisodeOutcome(id, .unchanged, try store.snapshot().episode(id), failure)
      }
      let episode = try store.snapshot().episode(id)
      guard let episode, episode.id != id else {
        defer { claim.release() }
        return try workClaimed(id, episode, asked: asked)
      }
      // An alias must not be claimed in the place of the episode it leads to.
      claim.release()
      return work(on: episode.id, asked: asked)
    } catch  where error.isInterruption {
      return EpisodeOutcome(id, .unchanged, nil, wasInterrupted: true)
    } catch {
      return EpisodeOutcome(id, .failed, nil, Failure(error))
    }
  }

  /// - Parameter known: the episode as it was read under the claim.
  private func workClaimed(
    _ id: EpisodeID, _ known: Episode?, asked: Bool
  ) throws -> EpisodeOutcome {
    var episode = try swept(takeUp(id, known, asked: asked))
    guard episode.want == .fetch else { return EpisodeOutcome(unwanted: episode) }
    let before = episode
    var found: [String: FoundBytes] = [:]
    var end: WorkEnded?
    for index in Self.order(of: episode.parts)
    where order.includes(episode.parts[index]) && !episode.parts[index].state.isResting {
      var context = PartContext(episode, part: index, bytes: bytes, order: order)
      do {
        try runner.runThroughWaits(&context)
        if let bytes = context.found, !bytes.segments.isEmpty {
          found[context.part.name] = bytes
        }
      } catch let ended as WorkEnded {
        end = ended
        episode = context.episode
        break
      }
      episode = context.episode
    }
    if end == .wantChanged {
      let fresh = try yielded(id)
      // Who has asked for it again meanwhile does not ask in vain.
      return try fresh.want == .fetch
        ? workClaimed(id, fresh, asked: asked) : EpisodeOutcome(unwanted: fresh)
    }
    let unsaved = episode == before ? nil : bytes.remember(episode, found: found)
    let isWhole = order.judged(of: episode).allSatisfy { $0.state == .ready }
    if case .postponed(let failure) = end, !isWhole {
      return EpisodeOutcome(id, .waiting, episode, failure)
    }
    var outcome = EpisodeOutcome(
      of: episode, before: before, order, wasInterrupted: end == .interrupted)
    outcome.unsaved = unsaved
    return outcome
  }

  /// The episode as the person has it now.
  private func yielded(_ id: EpisodeID) throws -> Episode {
    guard let episode = try store.snapshot().episode(id) else {
      throw Failure(.noSuchEpisode, "no such episode: '\(id)'")
    }
    return try swept(episode)
  }

  /// The episode without the files of what was cancelled, or is on its way out.
  private func swept(_ episode: Episode) throws -> Episode {
    let episode = try cancelled.remove(of: episode)
    guard episode.parts.contains(where: \.isLeaving) else { return episode }
    let result = try removal.finish(claimed: episode.id)
    if let failure = result.failure { throw failure }
    guard let left = result.episode else {
      throw Failure(.noSuchEpisode, "'\(episode.id)' was removed meanwhile")
    }
    return left
  }

  /// Lifts what waits or failed back to `queued`, where it may go on, in one step.
  private func takeUp(_ id: EpisodeID, _ known: Episode?, asked: Bool) throws -> Episode {
    let rule = due()
    // Mostly there is nothing to lift, which a look under the claim tells without the write lock.
    if let known, known.want == .fetch, !known.parts.contains(where: \.isStopped) {
      return known
    }
    return try store.update(.soon) { transaction throws -> Episode in
      guard var episode = try transaction.episode(id) else {
        throw Failure(.noSuchEpisode, "no such episode: '\(id)'")
      }
      guard episode.id == id else {
        throw Failure(.lockBusy, "'\(id)' was just renamed to '\(episode.id)'")
      }
      if asked, episode.want == .none, asksForEpisode { episode.want = .fetch }
      guard episode.want == .fetch else { return episode }
      for index in episode.parts.indices
      where isToBeQueued(episode.parts[index])
        && (asked ? rule.isDueOnRequest : rule.isDue)(episode.parts[index])
      {
        let from = episode.parts[index].state
        let to = episode.parts[index].stateToLiftTo
        episode.parts[index].enter(to)
        episode.remember(
          Transition(at: rule.now, part: episode.parts[index].name, from: from, to: to))
      }
      return transaction.recorded(episode)
    }
  }

  /// What stopped goes on through `queued`, and so does what is to be another file from now on.
  /// What has all but its name gets that first.
  private func isToBeQueued(_ part: Part) -> Bool {
    guard order.includes(part) else { return false }
    return part.isStopped
      || [.probed, .partial, .complete].contains(part.state) && part.isOther(than: order)
  }

  /// Whoever asks for subtitles alone does not ask for a film that nobody wanted.
  private var asksForEpisode: Bool {
    order.repairsOnly || order.includes(Part(role: .video, variants: []))
  }

  /// Required parts first: what makes the episode `ready` does not wait for a picture.
  private static func order(of parts: [Part]) -> [Int] {
    parts.indices.filter { parts[$0].isRequired } + parts.indices.filter { !parts[$0].isRequired }
  }
}
