import VmxModel

/// The progress of a file that one thread writes, for threads that read behind it.
package final class FileGrowth: Sendable {
  private struct State {
    var end: Int64 = 0
    var isOpen = true
    var hasFailed = false
  }

  private let state = Monitor(State())

  /// Creates the progress of an empty file.
  package init() {}

  /// Announces that all bytes before an offset are there.
  package func grow(to end: Int64) { state.withLock { $0.end = end } }

  /// Announces that no more bytes come.
  ///
  /// - Parameter hasFailed: whether the file will not be whole.
  package func close(hasFailed: Bool = false) {
    state.withLock { state in
      state.isOpen = false
      state.hasFailed = hasFailed
    }
  }

  /// Waits until there are bytes beyond an offset, or all bytes are there.
  ///
  /// - Returns: the end of the bytes that are there.
  /// - Throws: `WorkEnded.interrupted` if the writer has failed.
  package func wait(beyond offset: Int64) throws -> Int64 {
    let (end, hasFailed) = state.when({ $0.end > offset || !$0.isOpen }, { ($0.end, $0.hasFailed) })
    if hasFailed { throw WorkEnded.interrupted }
    return end
  }
}
