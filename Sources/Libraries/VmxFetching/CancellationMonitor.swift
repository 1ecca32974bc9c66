import Synchronization
import VmxModel
import VmxStore
import VmxSystem

/// Determines whether the episodes of this process are still wanted; results are at most half a
/// second old.
///
/// All parts share one read of the store, which reads only the records appended since the last one.
final class CancellationMonitor: Sendable {
  /// The milliseconds for which a result is cached.
  private static let betweenLooks: Int64 = 400

  private struct State {
    /// The results of the last read and those added since.
    var wants: [EpisodeID: Want] = [:]
    var lookedAt: Int64 = .min

    /// Discards expired results.
    mutating func renew(_ now: Int64) {
      guard now - CancellationMonitor.betweenLooks >= lookedAt else { return }
      wants = [:]
      lookedAt = now
    }
  }

  private let store: LibraryStore
  private let moment: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameter moment: returns milliseconds of the monotonic clock.
  init(
    _ store: LibraryStore, moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 }
  ) {
    self.store = store
    self.moment = moment
  }

  /// Records that an episode is wanted, right after it was read or written.
  func saw(_ id: EpisodeID) {
    let now = moment()
    state.withLock { state in
      state.renew(now)
      state.wants[id] = .fetch
    }
  }

  /// The reason to stop working on an episode; nil while it is wanted.
  func refusal(of id: EpisodeID) -> Failure? {
    let now = moment()
    let want = state.withLock { state in
      state.renew(now)
      if let want = state.wants[id] { return want }
      let want = self.want(of: id)
      // Only `fetch` is cached: a refusal must not outlive a new request of the user.
      if want == .fetch { state.wants[id] = want }
      return want
    }
    return want == .fetch ? nil : Failure(.held, "'\(id)' is not wanted any longer")
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
