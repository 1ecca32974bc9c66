import Synchronization
import VmxDigest
import VmxModel
import VmxSystem

/// Computes the SHA-256 of small files, several in one pass (multi-buffer SHA-256).
///
/// One group is hashed at a time, by the thread of one of its files. It starts when the group
/// is full, when no other transfer is expected, or after a short wait. Eight files take hardly
/// longer than one, so the wait saves more than it costs; other transfers have the network
/// during the wait.
final class DigestBatcher: Sendable {
  /// The longest wait of a file for others, in milliseconds.
  private static let maxWait: Int64 = 8

  private struct State {
    var waiting: [Request] = []
    /// The number of running transfers, including those that wait here.
    var expected = 0
    var isBusy = false
    /// The read buffer, while no thread is hashing.
    var buffer: [UInt8] = []

    /// Whether the group is complete or no other file can join it.
    var isFull: Bool { waiting.count >= min(MultiBufferSHA256.count, expected) }
  }

  /// One file and, once hashed, its outcome.
  private final class Request: Sendable {
    let file: FileRange
    let outcome = Mutex<FileRange.Outcome?>(nil)

    init(_ file: FileRange) { self.file = file }

    var isServed: Bool { outcome.withLock { $0 != nil } }
  }

  private let state = Monitor(State())

  /// Registers a running transfer, which may submit a file.
  func expectsOne() { state.withLock { $0.expected += 1 } }

  /// Unregisters a transfer that has ended.
  func unregister() { state.withLock { $0.expected -= 1 } }

  /// Returns the SHA-256 of a file that stays open, waiting up to 8 ms for other files to share the
  /// pass.
  ///
  /// - Throws: `DigestError` if the file cannot be read.
  func digest(of file: FileRange) throws(DigestError) -> Digest {
    let request = Request(file)
    state.withLock { $0.waiting.append(request) }
    _ = state.wait(milliseconds: Self.maxWait) {
      request.isServed || !$0.isBusy && $0.isFull
    }
    let group = state.when({ !$0.isBusy || request.isServed }) { state -> [Request] in
      guard !request.isServed else { return [] }
      state.isBusy = true
      state.waiting.removeAll { $0 === request }
      let company = state.waiting.prefix(MultiBufferSHA256.count - 1)
      state.waiting.removeFirst(company.count)
      return [request] + company
    }
    if !group.isEmpty { serve(group) }
    guard let outcome = request.outcome.withLock({ $0 }) else {
      fatalError("a file was left without a digest")
    }
    return try outcome.get()
  }

  private func serve(_ group: [Request]) {
    var buffer = state.withLock { state in
      defer { state.buffer = [] }
      return state.buffer
    }
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: FileRange.bufferSize) }
    let outcomes = buffer.withUnsafeMutableBytes { buffer in
      FileRange.digests(of: group.map(\.file), through: buffer)
    }
    let used = buffer
    state.withLock { state in
      for (request, outcome) in zip(group, outcomes) { request.outcome.withLock { $0 = outcome } }
      state.buffer = used
      state.isBusy = false
    }
  }
}
