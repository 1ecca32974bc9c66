import VmxSystem

// Workers verify segments of open files before they open further files. So all workers read a large
// file together, in order, and few files are open at a time. A worker ends only when the queue is
// empty and no other worker may still open a file.

/// The work queue of a verification run.
final class VerificationQueue: Sendable {
  /// One unit of work.
  enum Work: Sendable {
    case files([VerificationItem])
    case segments(SegmentVerification, Range<Int>)
  }

  private struct State: Sendable {
    var batches: [[VerificationItem]] = []
    var open: [SegmentVerification] = []
    /// The number of workers that inspect a batch, and may open files.
    var inspecting = 0
    var isClosed = false

    var isIdle: Bool { batches.isEmpty && open.isEmpty }
    var isOver: Bool { isClosed && isIdle && inspecting == 0 }
  }

  private let state = Monitor(State())
  private let capacity: Int

  /// - Parameter capacity: the maximum number of queued batches.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Enqueues a batch and blocks while the queue is full. Returns false once the queue is closed.
  func enqueue(_ items: [VerificationItem]) -> Bool {
    state.when({ $0.isClosed || $0.batches.count < capacity }) { state in
      guard !state.isClosed else { return false }
      if !items.isEmpty { state.batches.append(items) }
      return true
    }
  }

  /// Enqueues an open file whose segments any worker may verify.
  func enqueue(_ open: SegmentVerification) {
    state.withLock { $0.open.append(open) }
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
  func dequeue() -> Work? {
    while true {
      let (work, isOver) = state.when({ !$0.isIdle || $0.isOver }) { state in
        (Self.dequeue(from: &state), state.isOver)
      }
      if work != nil || isOver { return work }
    }
  }

  /// - Returns: nil if the open files had no segments left and there is no batch.
  private static func dequeue(from state: inout State) -> Work? {
    while let open = state.open.first {
      if let range = open.nextRange() { return .segments(open, range) }
      state.open.removeFirst()
    }
    guard !state.batches.isEmpty else { return nil }
    state.inspecting += 1
    return .files(state.batches.removeFirst())
  }

  /// Records that a worker has inspected all files of its batch.
  func finishBatch() {
    state.withLock { $0.inspecting -= 1 }
  }
}

/// The queue of results: workers append to it, and one thread removes all results at once.
final class ResultQueue: Sendable {
  /// The maximum number of queued results; workers block while the queue is full.
  private static let capacity = 4096

  private let state = Monitor((results: [VerificationResult](), isClosed: false))

  func append(_ results: [VerificationResult]) {
    state.when({ $0.isClosed || $0.results.count < Self.capacity }) { $0.results += results }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }

  /// Removes and returns all results, and blocks until there is one; nil at the end.
  func removeAll() -> [VerificationResult]? {
    state.when({ $0.isClosed || !$0.results.isEmpty }) { state in
      defer { state.results = [] }
      return state.results.isEmpty ? nil : state.results
    }
  }
}
