/// The rule that selects the backends to which the steps of an episode are reported.
package struct OutboxRule: Sendable, Equatable {
  /// The configured backends.
  package var backends: Set<OutboxBackend>
  /// The slugs of the shows whose episodes are reported to `report`; nil for all.
  package var shows: Set<String>?

  /// Creates a rule.
  package init(_ backends: Set<OutboxBackend> = [], shows: Set<String>? = nil) {
    self.backends = backends
    self.shows = shows
  }

  /// Returns the backends for an episode, in a fixed order.
  package func backends(of id: EpisodeID) -> [OutboxBackend] {
    guard !backends.isEmpty else { return [] }
    return OutboxBackend.allCases.filter { backend in
      backends.contains(backend) && (backend != .report || shows?.contains(id.show) != false)
    }
  }
}
