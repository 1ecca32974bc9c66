import VmxModel
import VmxSystem

/// Keeps the state of the network up to date during a run. Queries it at the start, after each
/// change of the network and every 5 s.
///
/// The first query is made only when a part needs the answer.
final class NetworkWatch: Sendable {
  private static let interval: Int32 = 5000
  /// The interval, in milliseconds, where the system has no answer: only a change of the network
  /// may provide one.
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

  /// The current state of the network for the part; nil before the first answer.
  func reading(loopback isLoopback: Bool) -> NetworkReading? {
    if let known = source.given { return known }
    if isLoopback, let known = source.givenForLoopback { return known }
    return state.withLock { $0.reading }
  }

  /// Waits for the first answer if one is needed.
  ///
  /// - Parameter shouldStop: called repeatedly; ends the wait by returning true.
  /// - Throws: `resources-short` if no thread can be started.
  func begin(loopback isLoopback: Bool, shouldStop: () -> Bool) throws(ProcessError) {
    guard reading(loopback: isLoopback) == nil else { return }
    let isFirst = state.withLock { state in
      defer { state.isBegun = true }
      return !state.isBegun
    }
    // The thread sleeps between two queries; the end of the process ends it.
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
