import Synchronization
import VmxModel
import VmxStore

/// The `metered-ok` marks of shows and episodes, at most a second old.
final class MeteredMarks: Sendable {
  private static let validity: Int64 = 1000

  private let store: LibraryStore
  private let moment: @Sendable () -> Int64
  private let known = Mutex<[EpisodeID: (isOK: Bool, at: Int64)]>([:])

  /// - Parameter moment: returns milliseconds of the monotonic clock.
  init(_ store: LibraryStore, moment: @escaping @Sendable () -> Int64) {
    self.store = store
    self.moment = moment
  }

  /// Whether the episode or its show may use a metered network.
  func isMeteredOK(_ id: EpisodeID) throws -> Bool {
    let now = moment()
    if let known = known.withLock({ $0[id] }), now - known.at < Self.validity { return known.isOK }
    let snapshot = try store.snapshot()
    let isOK =
      try snapshot.episode(id)?.isMeteredOK == true
      || snapshot.record(.show, id.show)?.fields["metered_ok"]?.bool == true
    known.withLock { $0[id] = (isOK, now) }
    return isOK
  }
}
