import Synchronization
package import VmxModel
package import VmxStore
import VmxSystem

// Tools apply parental control at two points. Episodes read from the store to be shown or changed
// pass `allows` (LibraryView, InputSelection). Printed rows pass it again by their ids
// (RowReporter), also for episodes that a run selects by itself. An episode above the limit has no
// row at all, because its id reveals its show and often its title.

/// Decides which episodes a tool may show and use, by the rule `ParentalRule`.
///
/// The files of parental control are read once, at the first check. The store is opened only if a
/// PIN is set and the rule applies.
///
///     guard context.parental.allows(episode) else { return }
package final class ParentalGuard: Sendable {
  fileprivate struct Applying {
    let rule: ParentalRule
    let store: LibraryStore?
    /// The failure of reading the files of the PIN, because of which the strictest rule applies.
    let failure: Failure?
    var snapshot: StoreSnapshot?
    /// The ratings of shows in the snapshot.
    var shows: [String: AgeRating?] = [:]
    /// The last allowed episode, so that printing its row does not read the store again.
    var allowed: EpisodeID?
  }

  private enum State {
    case unread
    /// No PIN is set, or an unlock ticket is valid until then.
    case open(until: Deadline?)
    case applying(Applying)
  }

  private let home: LibraryHome?
  private let runtime: String?
  private let clock: any WallClock
  private let state = Mutex(State.unread)
  /// The hashes of the hidden ids; the ids themselves would take five times the memory.
  private let hidden = Mutex<Set<Int>>([])

  /// Creates the guard of a library.
  ///
  /// - Parameters:
  ///   - home: the home of the library; nil if no setting names one, so that nothing can be shown.
  ///   - runtime: `XDG_RUNTIME_DIR`, the folder of unlock tickets.
  package init(_ home: LibraryHome?, runtime: String?, clock: any WallClock) {
    self.home = home
    self.runtime = runtime
    self.clock = clock
  }

  /// Whether episodes above the limit are currently hidden.
  package var applies: Bool {
    state.withLock { state in
      read(&state)
      if case .applying = state { return true }
      return false
    }
  }

  /// Whether an episode may be shown and played.
  package func allows(_ episode: Episode) -> Bool {
    let isAllowed = permits(episode)
    if !isAllowed { record(episode.id) }
    return isAllowed
  }

  /// Whether an episode may be used for work that prints nothing of it, so that it is not counted
  /// as hidden.
  package func permits(_ episode: Episode) -> Bool {
    state.withLock { state in
      read(&state)
      guard case .applying(var applying) = state else { return true }
      defer { state = .applying(applying) }
      let isAllowed = applying.allows(episode)
      if isAllowed { applying.allowed = episode.id }
      return isAllowed
    }
  }

  /// Whether the episode of an id or alias may be shown and played. True for an id without an
  /// episode; false if the store cannot be read.
  package func allows(_ id: EpisodeID) -> Bool {
    state.withLock { state in
      read(&state)
      guard case .applying(var applying) = state, applying.allowed != id else { return true }
      defer { state = .applying(applying) }
      do {
        guard let episode = try applying.episode(id) else { return true }
        let isAllowed = applying.allows(episode)
        if !isAllowed { record(episode.id) }
        return isAllowed
      } catch {
        return false
      }
    }
  }

  /// Whether the row of an id may be shown. Rows that are not episodes are never hidden.
  package func allows(row id: String) -> Bool {
    EpisodeID(valid: id).map { allows($0) } ?? true
  }

  /// Returns an id from an operand or a row, if its episode may be shown.
  ///
  /// - Throws: `parental`; the read error if the files of the PIN cannot be read.
  package func checked(_ id: EpisodeID) throws(Failure) -> EpisodeID {
    guard allows(id) else {
      // The refusal reports the episode, so the final note does not count it.
      _ = hidden.withLock { $0.remove(id.hashValue) }
      if let failure { throw failure }
      throw Failure.aboveLimit(id)
    }
    return id
  }

  /// Returns the other episodes that the record of an episode names and that must not be shown.
  ///
  /// - Parameter predecessor: the episode for which it waits; its record may contain an alias of
  ///   it.
  func hidden(namedBy episode: Episode, _ predecessor: EpisodeID? = nil) -> Set<EpisodeID> {
    guard applies else { return [] }
    let messages = episode.parts.lazy.compactMap(\.message)
    let named = [predecessor].compactMap(\.self) + episode.after
    return Set(
      (named + messages.flatMap(EpisodeID.named)).filter { $0 != episode.id && !allows($0) })
  }

  /// Returns a failure that may be shown: with the generic sentence of its code if the summary or
  /// hint names a hidden episode that the user did not name.
  func shown(_ failure: Failure, of operand: String) -> Failure {
    guard applies,
      EpisodeID.named(in: "\(failure.summary) \(failure.hint)")
        .contains(where: { $0.description != operand && !allows($0) })
    else { return failure }
    return Failure(failure.code, failure.code.entry.sentence)
  }

  /// The failure of reading the files of the PIN, if it has hidden episodes: then the output lacks
  /// episodes that may be allowed.
  package var hidingFailure: Failure? {
    hidden.withLock { $0.isEmpty } ? nil : failure
  }

  private var failure: Failure? {
    state.withLock { state in
      if case .applying(let applying) = state { return applying.failure }
      return nil
    }
  }

  private func record(_ id: EpisodeID) {
    _ = hidden.withLock { $0.insert(id.hashValue) }
  }

  /// The note about hidden episodes; nil if there is none.
  package var record: String? {
    let count = hidden.withLock { $0.count }
    guard count > 0 else { return nil }
    let episodes = count == 1 ? "1 episode" : "\(count) episodes"
    if failure != nil { return "\(episodes) not shown: the file of the PIN cannot be read" }
    return
      "\(episodes) above the limit of parental control not shown; run 'vmx lock unlock' to see all"
  }

  /// Reads the files at the first check, and again after a ticket has expired. If they cannot be
  /// read, the strictest limit applies.
  private func read(_ state: inout State) {
    switch state {
    case .applying: return
    case .open(let end): guard let end, end.isPast else { return }
    case .unread: break
    }
    state = .open(until: nil)
    guard let home else { return }
    let rule: ParentalRule
    var failure: Failure?
    do throws(Failure) {
      guard let settings = try ParentalStore.settings(of: home) else { return }
      let left = UnlockTicket(of: home, runtime: runtime)?
        .remaining(for: settings, now: .now(clock))
      rule = settings.rule(isUnlocked: (left ?? 0) > 0)
      // After the ticket has expired, a running stream is checked again.
      state = .open(until: Deadline(milliseconds: left ?? 0))
    } catch {
      rule = .strictest
      failure = error
    }
    guard !rule.isUnlocked else { return }
    state = .applying(Applying(rule: rule, store: opened(home), failure: failure))
  }
}

extension ParentalGuard {
  /// Opens the store for reading; nil if that fails, so that nothing is shown.
  private func opened(_ home: LibraryHome) -> LibraryStore? {
    var options = StoreOptions()
    // The tool itself refuses a store on a network file system.
    options.allowsNetwork = true
    do throws(StoreError) {
      return try LibraryStore.open(home, options: options, clock: clock)
    } catch {
      return nil
    }
  }
}

extension ParentalGuard.Applying {
  fileprivate mutating func allows(_ episode: Episode) -> Bool {
    do {
      return rule.allows(episode.ageRating, ofShow: try rating(ofShow: episode.id.show))
    } catch {
      // The rating of the show may be above the limit.
      return false
    }
  }

  /// Returns the episode in the current store.
  fileprivate mutating func episode(_ id: EpisodeID) throws -> Episode? {
    let store = try opened()
    let fresh = try snapshot.map { try store.snapshot(after: $0) } ?? store.snapshot()
    if fresh !== snapshot { (snapshot, shows) = (fresh, [:]) }
    return try fresh.episode(id)
  }

  private mutating func rating(ofShow slug: String) throws -> AgeRating? {
    if let known = shows[slug] { return known }
    let current = try snapshot ?? opened().snapshot()
    snapshot = current
    let rating = current.ageRating(ofShow: slug)
    shows[slug] = .some(rating)
    return rating
  }

  private func opened() throws(Failure) -> LibraryStore {
    guard let store else { throw Failure(.storeUnreadable, "cannot read the store") }
    return store
  }
}
