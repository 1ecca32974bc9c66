import VmxSystem

// Workers verify segments of open files before they open further files. So all workers read a large
// file together, in order, and few files are open at a time. A worker ends only when the queue is
// empty and no other worker may still open a file.

/// The work queue of a verification run.
final class VerificationQueue: Sendable {
  /// One unit of work.
  enum Work: Sendable {
    case files([VerificationItem])
    case run(FileVerification, Range<Int>)
  }

  private struct State: Sendable {
    var batches: [[VerificationItem]] = []
    var open: [FileVerification] = []
    /// The number of workers that inspect a batch, and may open files.
    var looking = 0
    var isClosed = false

    var isIdle: Bool { batches.isEmpty && open.isEmpty }
    var isOver: Bool { isClosed && isIdle && looking == 0 }
  }

  private let state = Monitor(State())
  private let capacity: Int

  /// - Parameter capacity: the maximal number of queued batches.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Enqueues a batch and blocks while the queue is full. Returns false once the queue is closed.
  func hand(_ items: [VerificationItem]) -> Bool {
    state.when({ $0.isClosed || $0.batches.count < capacity }) { state in
      guard !state.isClosed else { return false }
      if !items.isEmpty { state.batches.append(items) }
      return true
    }
  }

  /// Closes the queue: the caller enqueues no more batches.
  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Closes the queue and drops all work that no worker has started.
  func cancel() {
    state.withLock { state in
      state.isClosed = true
      state.batches = []
      state.open = []
    }
  }

  /// Dequeues the next unit of work and blocks until there is one; nil at the end of the run.
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

  /// Adds an open file whose segments any worker may verify.
  func add(_ open: FileVerification) {
    state.withLock { $0.open.append(open) }
  }

  /// Records that a worker has inspected all files of its batch.
  func looked() {
    state.withLock { $0.looking -= 1 }
  }
}
