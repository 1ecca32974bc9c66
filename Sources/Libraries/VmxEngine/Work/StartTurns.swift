import VmxModel

/// The episodes that workers have taken from the queue and that have not sent their first request,
/// in the order of the queue.
///
/// A worker registers each episode when it takes it from the queue. Before the first transfer it
/// waits until no earlier episode is registered. An episode is unregistered with its first request,
/// if it waits for a policy, a claim or a host, or if it ends without a request.
struct StartTurns: Sendable {
  private var entries: [(rank: WorkRank, id: EpisodeID)] = []

  /// The rank of an episode; nil if it is not registered.
  func rank(of id: EpisodeID) -> WorkRank? { entries.first { $0.id == id }?.rank }

  /// Whether an episode before this rank is registered.
  func hasEarlier(than rank: WorkRank) -> Bool { entries.first.map { $0.rank < rank } ?? false }

  /// Registers an episode with its rank.
  mutating func register(_ id: EpisodeID, _ rank: WorkRank) {
    entries.insert((rank, id), at: entries.firstIndex { $0.rank > rank } ?? entries.endIndex)
  }

  /// Unregisters an episode, so that later ones may start before it.
  mutating func unregister(_ id: EpisodeID) { entries.removeAll { $0.id == id } }
}
