import Synchronization
import VmxModel
import VmxStore
import VmxSystem

/// Knows what is still wanted of what this process has in work, as fresh as half a second.
///
/// All parts share one look at the store, and only what was appended since is read for it.
final class CancellationMonitor: Sendable {
  /// Milliseconds between two looks.
  private static let betweenLooks: Int64 = 400

  private struct State {
    /// What was found at the last look, or since, for whoever asked.
    var wants: [EpisodeID: Want] = [:]
    var lookedAt: Int64 = .min

    /// Forgets what is too old.
    mutating func renew(_ now: Int64) {
      guard now - CancellationMonitor.betweenLooks >= lookedAt else { return }
      wants = [:]
      lookedAt = now
    }
  }

  private let store: LibraryStore
  private let moment: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameter moment: milliseconds of a clock that never jumps.
  init(
    _ store: LibraryStore, moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 }
  ) {
    self.store = store
    self.moment = moment
  }

  /// Takes note of an episode that was read or written a moment ago and is wanted.
  func saw(_ id: EpisodeID) {
    let now = moment()
    state.withLock { state in
      state.renew(now)
      state.wants[id] = .fetch
    }
  }

  /// Why an episode is not to be worked on any longer; nil while it is wanted.
  func refusal(of id: EpisodeID) -> Failure? {
    let now = moment()
    let want = state.withLock { state in
      state.renew(now)
      if let want = state.wants[id] { return want }
      let want = self.want(of: id)
      // Whoever takes it up again is not told what was true before.
      if want == .fetch { state.wants[id] = want }
      return want
    }
    return want == .fetch ? nil : Failure(.held, "'\(id)' is not wanted any longer")
  }

  private func want(of id: EpisodeID) -> Want {
    do throws(StoreError) {
      return try store.snapshot().episode(id)?.want ?? .gone
    } catch {
      // A store that cannot be read ends the work soon enough, with its own code.
      return .fetch
    }
  }
}
