package import VmxModel
package import VmxStore

/// Works on one episode after another until it is `ready` or stops, each from claim to outcome on
/// the calling thread.
package struct EpisodeWorker: Sendable {
  private let store: LibraryStore
  private let actions: PartActions
  private let runner: Runner<FetchContext>
  private let clock: any WallClock
  private let options: WorkOptions
  private let applyRequests: @Sendable (Episode) throws -> Episode
  private let due: @Sendable () -> DueRule

  /// Creates a worker for a store.
  ///
  /// - Parameters:
  ///   - options: the options for every episode.
  ///   - due: returns the rule that decides which parts are due at the moment of the call; nil for
  ///     a rule without a time window.
  ///   - applyRequests: called under the claim before the work and after a change of the want;
  ///     performs what other processes have requested so far (the files of cancelled parts, a
  ///     removal) and returns the episode after that.
  package init(
    store: LibraryStore, actions: PartActions, clock: any WallClock,
    options: WorkOptions = WorkOptions(), due: (@Sendable () -> DueRule)? = nil,
    applyRequests: @escaping @Sendable (Episode) throws -> Episode
  ) {
    self.store = store
    self.actions = actions
    self.clock = clock
    self.options = options
    self.due = due ?? { DueRule(now: clock.now) }
    self.applyRequests = applyRequests
    runner = Runner(fetchMachines, journal: StoreJournal(store, of: .fetch), clock: clock)
  }

  /// Works on an episode until all its parts are at rest.
  ///
  /// - Parameters:
  ///   - asked: whether the user named it: then `none` becomes `fetch`, and parts that were
  ///     removed, have failed or wait are retried.
  ///   - typed: whether the user typed its id: then a removal by the user is lifted too.
  ///   - pause: the wait that ended an earlier pass of this run.
  /// - Returns: its result; `unchanged` if another worker holds the claim.
  package func work(
    on id: EpisodeID, asked: Bool, typed: Bool = false, after pause: WorkPause? = nil
  ) -> EpisodeResult {
    do {
      var claim = try store.claims.claim(id)
      while claim == nil, try actions.source.waitForClaim(of: id) {
        claim = try store.claims.claim(id)
      }
      guard let claim else {
        let hint = "another worker continues it; run 'vmx status' for its progress"
        return EpisodeResult(
          id, .unchanged(.inWork, hint: hint), episode: try store.snapshot().episode(id))
      }
      let episode = try store.snapshot().episode(id)
      guard let episode, episode.id != id else {
        defer { claim.release() }
        var result = try workClaimed(id, episode, asked: asked, typed: typed, after: pause)
        if typed, result.episode?.want == .fetch, let note = episode?.liftedRemovalNote {
          result.notes.insert(note, at: 0)
        }
        return result
      }
      // The claim must be on the episode's id and not on an alias of it.
      claim.release()
      return work(on: episode.id, asked: asked, typed: typed, after: pause)
    } catch  where error.isInterruption {
      return Self.interrupted(id, nil)
    } catch {
      return EpisodeResult(id, .failed(Failure(error)))
    }
  }

  /// Returns an episode and the host of its next transfer, nil if none is known.
  func nextTransfer(of id: EpisodeID) -> (episode: Episode, host: String?)? {
    do {
      return try store.snapshot().episode(id).map { ($0, actions.source.host(of: $0, options)) }
    } catch {
      // The work on the episode reports the error.
      return nil
    }
  }

  /// - Parameters:
  ///   - known: the episode as read under the claim.
  ///   - pause: the wait that ended an earlier pass.
  private func workClaimed(
    _ id: EpisodeID, _ known: Episode?, asked: Bool, typed: Bool, after pause: WorkPause? = nil
  ) throws -> EpisodeResult {
    var options = options
    if let pause { options = options.continued(from: pause.before) }
    options.ignoresRetryAfter =
      pause?.ignoresRetryAfter ?? (asked || known?.isRetriedByUser == true)
    let taken = try requeueParts(of: id, known: known, options: options, asked: asked, typed: typed)
    var episode = try applyRequests(taken)
    guard episode.want == .fetch else { return EpisodeResult(unwanted: episode) }
    let before = pause?.before ?? episode
    var found: [String: FoundBytes] = [:]
    var end: WorkEnded?
    for index in Self.order(of: episode.parts)
    where options.includes(episode.parts[index]) && !episode.parts[index].state.awaitsEvent {
      var context = FetchContext(episode, part: index, actions, options: options)
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
      let fresh = try reloaded(id)
      // A request made during the work is honoured: the work begins again.
      return try fresh.want == .fetch
        ? workClaimed(id, fresh, asked: asked, typed: false, after: pause)
        : EpisodeResult(unwanted: fresh)
    }
    let unsaved = episode == before ? nil : actions.finisher.writeSidecar(episode, found: found)
    let isWhole = options.relevantParts(of: episode).allSatisfy { $0.state == .ready }
    if end == .interrupted, !isWhole { return Self.interrupted(id, episode) }
    var result = EpisodeResult(of: episode, before: before, options, unsaved: unsaved)
    if case .postponed(let failure) = end, !isWhole {
      result = EpisodeResult(
        id, .waiting(failure), episode: episode, notes: EpisodeResult.notes(unsaved, of: id))
    }
    result.pause = self.pause(of: episode, after: end, before: before, options)
    return result
  }

  /// Returns the wait for a server that ended the work on parts.
  private func pause(
    of episode: Episode, after end: WorkEnded?, before: Episode, _ options: WorkOptions
  ) -> WorkPause? {
    let now = clock.now
    let refused = episode.parts.filter { part in
      options.includes(part) && part.state == .waiting && part.code == .rateLimited
    }
    var times = refused.compactMap(\.until)
    if case .postponed(let failure) = end, let time = failure.retryAt { times.append(time) }
    guard let time = times.min() else { return nil }
    return WorkPause(
      milliseconds: max(0, time.milliseconds - now.milliseconds), isRefusal: !refused.isEmpty,
      before: before, ignoresRetryAfter: options.ignoresRetryAfter && refused.isEmpty)
  }

  private static func interrupted(_ id: EpisodeID, _ episode: Episode?) -> EpisodeResult {
    EpisodeResult(id, .failed(Failure(.interrupted, "'\(id)' was interrupted")), episode: episode)
  }

  /// Returns the episode as the user has changed it.
  private func reloaded(_ id: EpisodeID) throws -> Episode {
    guard let episode = try store.snapshot().episode(id) else {
      throw Failure(.noSuchEpisode, "no such episode: '\(id)'")
    }
    return try applyRequests(episode)
  }

  /// Resets waiting and failed parts that may resume to `queued`, in one transaction.
  ///
  /// In a further pass of a run, only parts resume whose servers requested a delay.
  private func requeueParts(
    of id: EpisodeID, known: Episode?, options: WorkOptions, asked: Bool, typed: Bool
  ) throws -> Episode {
    let rule = due()
    let isRequest = asked && options.requestsEpisode
    // Only an id that the user typed: a list in a pipe would fetch a whole unplugged disk again.
    let unreachable =
      try isRequest && typed ? known?.parts.filter(actions.source.canReplace).map(\.name) ?? [] : []
    // Usually there is nothing to resume, which the record read under the claim shows without the
    // write lock.
    if let known, known.want == .fetch, !known.parts.contains(where: \.isStopped),
      !asked || !known.isExpired(at: rule.now), !isRequest || known.state != .removed,
      unreachable.isEmpty, !(isRequest && typed && known.isDoneWith)
    {
      return known
    }
    return try store.update(.soon) { transaction throws -> Episode in
      guard var episode = try transaction.episode(id) else {
        throw Failure(.noSuchEpisode, "no such episode: '\(id)'")
      }
      guard episode.id == id else {
        throw Failure(.lockBusy, "'\(id)' was just renamed to '\(episode.id)'")
      }
      if isRequest {
        try episode.request(isTyped: typed, now: rule.now)
      } else if asked {
        try episode.checkFetchable(now: rule.now)
      }
      guard episode.want == .fetch else { return episode }
      for index in episode.parts.indices where unreachable.contains(episode.parts[index].name) {
        episode.loseFile(ofPart: index, now: rule.now)
      }
      for index in episode.parts.indices
      where Self.isToBeQueued(episode.parts[index], options)
        && (asked ? rule.isDueOnRequest : rule.isDue)(episode.parts[index])
        && (!options.isContinued || episode.parts[index].code == .rateLimited)
      {
        let from = episode.parts[index].state
        if asked, from == .failed { episode.parts[index].retrySources() }
        let to = episode.parts[index].stateAfterRetry
        episode.parts[index].enter(to)
        episode.appendTransition(
          Transition(at: rule.now, part: episode.parts[index].name, from: from, to: to))
      }
      return transaction.recorded(episode)
    }
  }

  /// Whether a part must be queued: it was stopped, or another variant was requested. A part that
  /// only lacks its final name is published first.
  private static func isToBeQueued(_ part: Part, _ options: WorkOptions) -> Bool {
    guard options.includes(part), !part.isBeingRemoved else { return false }
    return part.isStopped
      || [.probed, .partial, .complete].contains(part.state) && part.isOther(than: options)
  }

  /// Returns the indices of the parts in the order of work: keys first, since their rights apply to
  /// the other parts; then required parts, then the others, so that an image does not delay
  /// `ready`.
  private static func order(of parts: [Part]) -> [Int] {
    func rank(_ part: Part) -> Int { part.role == .key ? 0 : part.isRequired ? 1 : 2 }
    return (0...2).flatMap { wanted in parts.indices.filter { rank(parts[$0]) == wanted } }
  }
}

extension Episode {
  /// Whether the user has queued a waiting part again.
  fileprivate var isRetriedByUser: Bool {
    parts.contains { part in
      guard part.state == .queued, let last = trail.last(where: { $0.part == part.name })
      else { return false }
      return last.from == .waiting && last.to == .queued
    }
  }
}
