import VmxSystem

// Workers take segments of files that are open before they open others: so a large file is read by
// all of them, in order, and few files are open at a time. A worker goes home only when nothing is
// left and no other worker may still open a file for it.

/// What there is to do for the workers of a run.
final class VerificationQueue: Sendable {
  /// What a worker does next.
  enum Work: Sendable {
    case files([VerificationItem])
    case run(FileVerification, Range<Int>)
  }

  private struct State: Sendable {
    var batches: [[VerificationItem]] = []
    var open: [FileVerification] = []
    /// Workers that look at files, and may open some.
    var looking = 0
    var isClosed = false

    var isIdle: Bool { batches.isEmpty && open.isEmpty }
    var isOver: Bool { isClosed && isIdle && looking == 0 }
  }

  private let state = Monitor(State())
  private let capacity: Int

  /// - Parameter capacity: batches that wait at most.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Hands files in, waiting for room; false if no more are wanted.
  func hand(_ items: [VerificationItem]) -> Bool {
    state.when({ $0.isClosed || $0.batches.count < capacity }) { state in
      guard !state.isClosed else { return false }
      if !items.isEmpty { state.batches.append(items) }
      return true
    }
  }

  /// Nothing more comes.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Nothing more is begun.
  func cancel() {
    state.withLock { state in
      state.isClosed = true
      state.batches = []
      state.open = []
    }
  }

  /// What to do next, waiting for it; nil when all is done.
  func next() -> Work? {
    while true {
      switch state.when({ !$0.isIdle || $0.isOver }, { Self.take(from: &$0) }) {
      case .work(let work): return work
      case .over: return nil
      case .nothingYet: continue
      }
    }
  }

  private enum Taken: Sendable {
    case work(Work)
    case nothingYet
    case over
  }

  private static func take(from state: inout State) -> Taken {
    while let open = state.open.first {
      if let run = open.takeRun() { return .work(.run(open, run)) }
      state.open.removeFirst()
    }
    guard !state.batches.isEmpty else { return state.isOver ? .over : .nothingYet }
    state.looking += 1
    return .work(.files(state.batches.removeFirst()))
  }

  /// A file whose segments are to be proven.
  func add(_ open: FileVerification) {
    state.withLock { $0.open.append(open) }
  }

  /// A worker has looked at all files of its batch.
  func looked() {
    state.withLock { $0.looking -= 1 }
  }
}
