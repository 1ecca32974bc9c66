import VmxModel

/// The progress of a file that one thread writes, for threads that read the bytes already written.
package final class FileGrowth: Sendable {
  private struct State {
    var end: Int64 = 0
    var isOpen = true
    var hasFailed = false
  }

  private let state = Monitor(State())

  /// Creates the progress of an empty file.
  package init() {}

  /// Announces that all bytes before an offset have been written.
  package func extend(to end: Int64) { state.withLock { $0.end = end } }

  /// Announces that no more bytes will be written.
  ///
  /// - Parameter hasFailed: whether the file will remain incomplete.
  package func close(hasFailed: Bool = false) {
    state.withLock { state in
      state.isOpen = false
      state.hasFailed = hasFailed
    }
  }

  /// Waits until bytes beyond an offset have been written, or all bytes have.
  ///
  /// - Returns: the end of the written bytes.
  /// - Throws: `WorkEnded.interrupted` if the writer has failed.
  package func wait(beyond offset: Int64) throws -> Int64 {
    let (end, hasFailed) = state.when({ $0.end > offset || !$0.isOpen }, { ($0.end, $0.hasFailed) })
    if hasFailed { throw WorkEnded.interrupted }
    return end
  }
}
