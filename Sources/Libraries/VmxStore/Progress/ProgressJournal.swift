package import VmxModel
import VmxSystem

/// Writes progress records for one process, no more often than a status display needs.
///
/// It writes a line when 16 MiB have arrived or 2 s have passed since the last line of the episode.
/// It never writes more than 4 lines a second for the whole process. No write waits for the disk.
package final class ProgressJournal: Sendable {
  private static let bytesApart: Int64 = 16 << 20
  private static let timeApart: Int64 = 2000
  private static let linesASecond = 4

  private struct State {
    var last: [EpisodeID: (bytes: Int64, at: Int64)] = [:]
    /// The times of the last few writes in milliseconds, oldest first.
    var written: [Int64] = []
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let state = Monitor(State())

  /// Creates a journal that writes to a store.
  package init(_ store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Reports the progress of an episode; most reports write no line.
  ///
  /// - Returns: whether a line was written. A full store is not an error.
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

  /// Forgets an episode that this process no longer works on. The update that records the result
  /// removes the line (`delete(.progress, …)`).
  package func end(_ episode: EpisodeID) {
    state.withLock { $0.last[episode] = nil }
  }

  private func isDue(_ line: ProgressLine) -> Bool {
    let now = clock.now.milliseconds
    return state.withLock { state in
      if let last = state.last[line.episode] {
        // After the clock was set back, reports must not stop until it has caught up.
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
