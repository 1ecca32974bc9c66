import VmxModel
import VmxSystem

/// Keeps what is known of the network fresh while a run lasts: asked at the start, on each change
/// of the network and every 5 s.
///
/// Nobody is asked before the first part needs to know.
final class NetworkWatch: Sendable {
  private static let interval: Int32 = 5000
  /// Where the system knows nothing, only a change is likely to bring news.
  private static let rareInterval: Int32 = 60_000
  private static let slice: Int64 = 100

  private struct State {
    var isBegun = false
    var reading: NetworkReading?
  }

  private let source: NetworkSource
  private let state = Monitor(State())

  init(_ source: NetworkSource) {
    self.source = source
  }

  /// What is known now of the network that leads there; nil before the first answer.
  func reading(loopback isLoopback: Bool) -> NetworkReading? {
    if let known = source.given { return known }
    if isLoopback, let known = source.givenForLoopback { return known }
    return state.withLock { $0.reading }
  }

  /// Waits for the first answer, where one is needed.
  ///
  /// - Parameter shouldStop: asked all the while; ends the wait.
  /// - Throws: `resources-short` where no thread can be had.
  func begin(loopback isLoopback: Bool, shouldStop: () -> Bool) throws(ProcessError) {
    guard reading(loopback: isLoopback) == nil else { return }
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    // It sleeps between two looks; the end of the process ends it.
    if isFirst { _ = try WorkerThread.start("vmx-network") { [self] in watch() } }
    while !shouldStop() {
      if state.wait(milliseconds: Self.slice, until: { $0.reading != nil }) { return }
    }
  }

  private func watch() {
    let changes = NetworkChanges()
    while true {
      let reading = source.read()
      state.withLock { $0.reading = reading }
      let isRare = reading.verdict == .systemUnknown && changes.isListening
      _ = changes.wait(milliseconds: isRare ? Self.rareInterval : Self.interval)
    }
  }
}
