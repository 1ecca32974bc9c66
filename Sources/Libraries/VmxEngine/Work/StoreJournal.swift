package import VmxModel
package import VmxStore

/// The kind of work that a journal records.
package enum JournaledWork: Sendable {
  /// A fetch, which ends when the episode is no longer wanted.
  case fetch
  /// An import of a local file.
  case importing
  /// A removal, which takes precedence over all other work.
  case removal
}

/// Records the steps of parts in the store.
///
/// Each step is applied to the current record, so that changes of other processes (the want, a
/// mark, a further source) are kept.
package struct StoreJournal<Actions: Sendable>: StepJournal {
  private let store: LibraryStore
  private let work: JournaledWork

  /// Creates a journal in a store.
  package init(_ store: LibraryStore, of work: JournaledWork) {
    self.store = store
    self.work = work
  }

  package func record(
    _ steps: [Step<PartState>], of context: inout PartContext<Actions>
  ) throws {
    context.episode = try recorded(steps, of: context)
  }

  private func recorded(
    _ steps: [Step<PartState>], of context: PartContext<Actions>
  ) throws -> Episode {
    let worked = context.part
    let durability: Durability = worked.state.awaitsEvent ? .durable : .soon
    let room: SpacePolicy = work == .removal ? .useReserve : .keepReserve
    let fresh = try store.update(durability, room: room) { transaction throws -> Episode in
      // The record may have been joined with another one, whose file this part must not replace.
      guard var episode = try transaction.episode(context.episode.id),
        episode.id == context.episode.id,
        let index = episode.parts.firstIndex(where: { $0.name == worked.name })
      else { throw WorkEnded.wantChanged }
      // The part was cancelled, or not begun: an incomplete part keeps the state that the user gave
      // it.
      if work == .fetch, episode.want != .fetch, episode.parts[index].state == .new,
        worked.state != .ready
      {
        throw WorkEnded.wantChanged
      }
      if work != .removal, episode.parts[index].isBeingRemoved {
        // The removal uses the recorded path, which the file may have got during the work.
        episode.parts[index].root = worked.root
        episode.parts[index].path = worked.path
        return transaction.recorded(episode)
      }
      episode.parts[index].copy(progressOf: worked)
      episode.duration = episode.duration ?? context.episode.duration
      episode.addIdentityOfBytes()
      if work == .fetch { episode.parts[index].replace(failures: worked.sourceFailures) }
      // The source that worked is tried first from now on; sources added during the work are kept.
      if let source = context.found?.source { episode.parts[index].prefer(source: source) }
      for step in steps {
        episode.appendTransition(
          Transition(
            at: step.at, part: worked.name, from: step.from, to: step.to, code: step.code))
      }
      if worked.state.awaitsEvent { transaction.delete(.progress, episode.id.description) }
      return transaction.recorded(episode)
    }
    store.compactIfOvergrown()
    let isWanted = work != .fetch || fresh.want == .fetch || worked.state.awaitsEvent
    let isBeingRemoved = work != .removal && fresh.parts.contains(where: \.isBeingRemoved)
    guard isWanted, !isBeingRemoved else { throw WorkEnded.wantChanged }
    return fresh
  }
}

extension Part {
  /// Copies the fields that work on the part changes; its role, name and sources are kept.
  mutating func copy(progressOf worked: Part) {
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
    verifiedAt = worked.verifiedAt
    chosen = worked.chosen
    original = worked.original
    repairs = worked.repairs
  }
}
