import Synchronization
import VmxModel
import VmxStore

/// Determines whether the episodes of this process are still wanted; results are at most half a
/// second old.
final class CancellationMonitor: Sendable {
  /// The milliseconds for which a result is cached.
  private static let validity: Int64 = 400

  private let store: LibraryStore
  private let moment: @Sendable () -> Int64
  /// The episodes found wanted since that time. Others are not cached: a refusal must not outlive a
  /// new request of the user.
  private let wanted = Mutex<(ids: Set<EpisodeID>, since: Int64)>(([], .min))

  /// - Parameter moment: returns milliseconds of the monotonic clock.
  init(_ store: LibraryStore, moment: @escaping @Sendable () -> Int64) {
    self.store = store
    self.moment = moment
  }

  /// Records that an episode is wanted, right after it was read or written.
  func markWanted(_ id: EpisodeID) {
    withCurrent { _ = $0.insert(id) }
  }

  /// The reason to stop working on an episode; nil while it is wanted.
  func refusal(of id: EpisodeID) -> Failure? {
    if withCurrent({ $0.contains(id) }) { return nil }
    guard want(of: id) == .fetch else { return Failure(.held, "'\(id)' is not wanted any longer") }
    markWanted(id)
    return nil
  }

  private func withCurrent<Result>(_ body: (inout Set<EpisodeID>) -> Result) -> Result {
    let now = moment()
    return wanted.withLock { wanted in
      if now - Self.validity >= wanted.since { wanted = ([], now) }
      return body(&wanted.ids)
    }
  }

  private func want(of id: EpisodeID) -> Want {
    do throws(StoreError) {
      return try store.snapshot().episode(id)?.want ?? .gone
    } catch {
      // If the store cannot be read, the work soon ends with the store's own error.
      return .fetch
    }
  }
}
