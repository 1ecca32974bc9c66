import Synchronization
package import VmxModel
package import VmxStore
import VmxSystem

// Parental control has two seams in the tools. What is read from the store to be shown or acted on
// passes `allows` (LibraryView, InputSelection), and what is printed passes it once more by the id of
// the row (RowReporter), also for episodes that a run came upon by itself. An episode above the limit
// has no row at all: its id tells its show and often its title.

/// Decides for a tool which episodes it may show and take, by the one rule (`ParentalRule`).
///
/// The files of parental control are read once, when the first question is asked. Without a PIN that
/// is all; the store is opened only where the rule applies.
///
///     guard context.parental.allows(episode) else { return true }
package final class ParentalGuard: Sendable {
  fileprivate struct Applying {
    let rule: ParentalRule
    let store: LibraryStore?
    /// The reason for which the files of the PIN cannot be read, so that the strictest rule applies.
    let failure: Failure?
    var snapshot: StoreSnapshot?
    /// The ratings of shows in the snapshot.
    var shows: [String: AgeRating?] = [:]
    /// The episode that was allowed last, so that printing its row reads nothing again.
    var allowed: EpisodeID?
  }

  private enum State {
    case unread
    /// No PIN is set, or it was given and counts until then.
    case open(until: Deadline?)
    case applying(Applying)
  }

  private let home: LibraryHome?
  private let runtime: String?
  private let clock: any WallClock
  private let state = Mutex(State.unread)
  /// The hashes of the ids that were left out; the ids themselves would take five times the memory.
  private let hidden = Mutex<Set<Int>>([])

  /// Creates the guard of a library.
  ///
  /// - Parameters:
  ///   - home: nil where no setting names the library, so that nothing can be shown.
  ///   - runtime: `XDG_RUNTIME_DIR`, where tickets are.
  package init(_ home: LibraryHome?, runtime: String?, clock: any WallClock) {
    self.home = home
    self.runtime = runtime
    self.clock = clock
  }

  /// Whether episodes above a limit are hidden now.
  package var applies: Bool {
    state.withLock { state in
      read(&state)
      if case .applying = state { return true }
      return false
    }
  }

  /// Whether an episode may be shown and played.
  package func allows(_ episode: Episode) -> Bool {
    state.withLock { state in
      read(&state)
      guard case .applying(var applying) = state else { return true }
      defer { state = .applying(applying) }
      let isAllowed = applying.allows(episode)
      if isAllowed {
        applying.allowed = episode.id
      } else {
        note(episode.id)
      }
      return isAllowed
    }
  }

  /// Whether the episode of an id, or of one that it had before, may be shown and played. An id that
  /// names no episode may be shown. If the store cannot be read, nothing may.
  package func allows(_ id: EpisodeID) -> Bool {
    state.withLock { state in
      read(&state)
      guard case .applying(var applying) = state, applying.allowed != id else { return true }
      defer { state = .applying(applying) }
      do {
        guard let episode = try applying.episode(id) else { return true }
        let isAllowed = applying.allows(episode)
        if !isAllowed { note(episode.id) }
        return isAllowed
      } catch {
        return false
      }
    }
  }

  /// Whether the row of an id may be shown; the ids of rows that are no episodes are never hidden.
  package func allows(row id: String) -> Bool {
    EpisodeID(valid: id).map { allows($0) } ?? true
  }

  /// Returns an id that a user or a row has given, if its episode may be shown.
  ///
  /// - Throws: `parental`; the error of reading where the files of the PIN cannot be read.
  package func checked(_ id: EpisodeID) throws(Failure) -> EpisodeID {
    guard allows(id) else {
      // The refusal tells of it.
      _ = hidden.withLock { $0.remove(id.hashValue) }
      if let failure { throw failure }
      throw Failure.aboveLimit(id)
    }
    return id
  }

  /// Returns the other episodes that the record of an episode names and that may not be shown.
  ///
  /// - Parameter predecessor: the episode for which it waits, which its record may name by an alias.
  func hidden(namedBy episode: Episode, _ predecessor: EpisodeID? = nil) -> Set<EpisodeID> {
    guard applies else { return [] }
    let messages = episode.parts.lazy.compactMap(\.message)
    let named = [predecessor].compactMap(\.self) + episode.after
    return Set(
      (named + messages.flatMap(EpisodeID.named)).filter { $0 != episode.id && !allows($0) })
  }

  /// Returns a failure as it may be shown: without its words if they name an episode that may not.
  func shown(_ failure: Failure) -> Failure {
    guard failure.code != .parental, applies,
      EpisodeID.named(in: "\(failure.summary) \(failure.hint)").contains(where: { !allows($0) })
    else { return failure }
    return Failure(failure.code, failure.code.entry.sentence)
  }

  private var failure: Failure? {
    state.withLock { state in
      if case .applying(let applying) = state { return applying.failure }
      return nil
    }
  }

  private func note(_ id: EpisodeID) {
    _ = hidden.withLock { $0.insert(id.hashValue) }
  }

  /// The note about episodes that were left out; nil if there is none.
  package var note: String? {
    let count = hidden.withLock { $0.count }
    guard count > 0 else { return nil }
    let episodes = count == 1 ? "1 episode" : "\(count) episodes"
    return "\(episodes) above the limit of parental control left out; 'vmx lock unlock' shows all"
  }

  /// Reads the files, once or when a ticket has ended. What cannot be read hides as much as the strictest limit.
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
      // A stream that began while it was unlocked ends with that.
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
  /// Opens the store for reading; nil if that is not possible, so that nothing is shown.
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

  /// Returns the episode in the store as it is now.
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
    guard let store else { throw Failure(.storeUnreadable, "the store cannot be read") }
    return store
  }
}
