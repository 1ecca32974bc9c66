import VmxEngine
import VmxModel
import VmxStore

/// Records each step of a licence in the store, and the episode's rights with the last step.
///
/// The intent of a call that changes the provider's state is durable before the request is sent.
struct LicenceJournal: StepJournal {
  let store: LibraryStore

  func record(
    _ steps: [Step<LicenceState>], of context: inout LicenceContext
  ) throws {
    let state = context.state
    let isIntent = [.registering, .renewing, .returning].contains(state)
    try store.update(isIntent || state.awaitsEvent ? .durable : .soon, room: .useReserve) {
      transaction throws in
      guard var episode = try transaction.episode(context.id), episode.id == context.id else {
        throw WorkEnded.wantChanged
      }
      transaction.put(context.record.stored(of: episode.id))
      if let meaning = context.meaning, state.awaitsEvent {
        episode.licence = context.record.mark(meaning)
        episode.expires = meaning.ends
      }
      if let file = context.replaced { episode.replaceKey(by: file) }
      transaction.put(episode)
    }
  }
}
