package import VmxModel
import VmxSystem

/// Writes progress lines for one process, no more than a watcher needs.
///
/// A line is written when 16 MiB are new or 2 s have passed since the last one of its episode,
/// and never more than 4 a second for the whole process. None waits for the disk.
package final class ProgressJournal: Sendable {
  private static let bytesApart: Int64 = 16 << 20
  private static let timeApart: Int64 = 2000
  private static let linesASecond = 4

  private struct State {
    var last: [EpisodeID: (bytes: Int64, at: Int64)] = [:]
    /// When the last few lines were written, in milliseconds, oldest first.
    var written: [Int64] = []
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let state = Monitor(State())

  /// A journal in a store.
  package init(_ store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Tells how far an episode is; most reports are not worth a line.
  ///
  /// - Returns: whether a line was written. A store that has no room for it is no error.
  /// - Throws: other errors of the store.
  @discardableResult
  package func report(_ line: ProgressLine) throws -> Bool {
    guard isDue(line) else { return false }
    do {
      try store.update(.soon) { $0.put(line.record) }
      return true
    } catch StoreError.full {
      return false
    }
  }

  /// Forgets an episode that is in work no longer; its line is removed by the update that records
  /// what became of it (`delete(.progress, …)`).
  package func end(_ episode: EpisodeID) {
    state.withLock { $0.last[episode] = nil }
  }

  private func isDue(_ line: ProgressLine) -> Bool {
    let now = clock.now.milliseconds
    return state.withLock { state in
      if let last = state.last[line.episode] {
        // A clock that was set back must not silence us until it has caught up.
        let isLate = now - last.at >= Self.timeApart || now < last.at
        guard isLate || line.bytes.bytes - last.bytes >= Self.bytesApart else { return false }
      }
      state.written.removeAll { now - $0 >= 1000 || now < $0 }
      guard state.written.count < Self.linesASecond else { return false }
      state.written.append(now)
      state.last[line.episode] = (line.bytes.bytes, now)
      return true
    }
  }
}
