package import VmxModel
package import VmxStore

/// Takes many descriptions into the store in one durable step.
package struct BulkIntake: Sendable {
  /// So many descriptions are looked for one by one; for more an index costs less.
  private static let few = 4

  private let store: LibraryStore
  private let clock: any WallClock

  /// An intake into a store.
  package init(store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Takes descriptions in, in their order; one that cannot be taken does not hinder the others.
  ///
  /// - Returns: what became of each, durable.
  /// - Throws: what the store throws; then none of them was taken.
  package func take(
    _ descriptions: [EpisodeDescription]
  ) throws -> [Result<Intake.Taken, Failure>] {
    let intakes = try descriptions.map { try Intake($0, secrets: store.secrets) }
    if intakes.count > Self.few {
      try store.prepareForMany()
    } else {
      for intake in intakes { try intake.prepare(in: store) }
    }
    let now = clock.now
    return try store.update(.durable) { transaction in
      try intakes.map { intake in
        do {
          return .success(try intake.take(into: &transaction, now: now))
        } catch let failure as Failure {
          return .failure(failure)
        }
      }
    }
  }
}
