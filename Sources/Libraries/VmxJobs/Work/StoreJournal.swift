package import VmxModel
package import VmxStore

/// Records the steps of parts in the store.
///
/// Each step is applied to the record as it is at that moment, so that what another process
/// changed meanwhile (the want, a mark, a further source) stays.
package struct StoreJournal: PartJournal {
  /// What the work is that is recorded.
  package enum Work: Sendable {
    /// A fetch, which ends when the episode is no longer wanted.
    case fetch
    /// Taking in what a person has given.
    case episodeImporter
    /// Removing what is on its way out, which everything else gives way to.
    case removal
  }

  private let store: LibraryStore
  private let work: Work

  /// A journal in a store.
  package init(_ store: LibraryStore, of work: Work) {
    self.store = store
    self.work = work
  }

  package func record(_ steps: [Transition], of context: PartContext) throws -> Episode {
    let worked = context.part
    let durability: Durability = worked.state.isResting ? .durable : .soon
    let room: Room = work == .removal ? .useReserve : .keepReserve
    let fresh = try store.update(durability, room: room) { transaction throws -> Episode in
      guard var episode = try transaction.episode(context.episode.id),
        let index = episode.parts.firstIndex(where: { $0.name == worked.name })
      else { throw WorkEnded.wantChanged }
      // Cancelled, or not begun: a part that is not whole stays what the person made of it.
      if work == .fetch, episode.want != .fetch, episode.parts[index].state == .new,
        worked.state != .ready
      {
        throw WorkEnded.wantChanged
      }
      if work != .removal, episode.parts[index].isLeaving {
        // Its removal goes by the name that the file may have got meanwhile.
        episode.parts[index].root = worked.root
        episode.parts[index].path = worked.path
        return transaction.recorded(episode)
      }
      episode.parts[index].take(progressOf: worked)
      // The one that works is asked first from now on; mirrors added meanwhile stay.
      if let source = context.found?.source { episode.parts[index].prefer(source: source) }
      for step in steps { episode.remember(step) }
      if worked.state.isResting { transaction.delete(.progress, episode.id.description) }
      return transaction.recorded(episode)
    }
    store.compactIfOvergrown()
    let isWanted = work != .fetch || fresh.want == .fetch || worked.state.isResting
    let isLeaving = work != .removal && fresh.parts.contains(where: \.isLeaving)
    guard isWanted, !isLeaving else { throw WorkEnded.wantChanged }
    return fresh
  }
}

extension StoreTransaction {
  /// Puts an episode and gives it back with its new rev.
  package mutating func recorded(_ episode: Episode) -> Episode {
    var episode = episode
    episode.rev = put(episode)
    return episode
  }
}

extension Part {
  /// Takes over what work on the part changes; what it is and where it comes from stays.
  mutating func take(progressOf worked: Part) {
    state = worked.state
    resumeState = worked.resumeState
    code = worked.code
    message = worked.message
    reason = worked.reason
    until = worked.until
    root = worked.root
    path = worked.path
    size = worked.size
    sha256 = worked.sha256
    proof = worked.proof
    proven = worked.proven
    chosen = worked.chosen
    original = worked.original
    repairs = worked.repairs
  }
}
