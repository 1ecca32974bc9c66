import Synchronization
import VmxDigest
import VmxModel
import VmxSystem

/// Computes the SHA-256 of small files, several in one pass (multi-buffer SHA-256).
///
/// One group is hashed at a time, by the thread of one of its files. It starts when the group
/// is full, when no other transfer is expected, or after a short wait. Eight files take hardly
/// longer than one, so the wait saves more than it costs; the network is free for other transfers
/// meanwhile.
final class DigestBatcher: Sendable {
  /// The longest wait of a file for others, in milliseconds.
  private static let longestWait: Int64 = 8

  private struct State {
    var waiting: [Wish] = []
    /// The number of running transfers, including those that wait here.
    var expected = 0
    var isBusy = false
    /// The read buffer, while no thread is hashing.
    var room: [UInt8] = []

    /// Whether the group is complete or no other file can join it.
    var isFull: Bool { waiting.count >= min(MultiBufferSHA256.count, expected) }
  }

  /// One file and, once hashed, its outcome.
  private final class Wish: Sendable {
    let file: FileText
    let outcome = Mutex<FileText.Outcome?>(nil)

    init(_ file: FileText) { self.file = file }

    var isServed: Bool { outcome.withLock { $0 != nil } }
  }

  private let state = Monitor(State())

  /// Registers a running transfer, which may submit a file.
  func expectsOne() { state.withLock { $0.expected += 1 } }

  /// Unregisters a transfer that has ended.
  func expectsOneLess() { state.withLock { $0.expected -= 1 } }

  /// Returns the SHA-256 of a file that stays open, waiting up to 8 ms for other files to share the
  /// pass.
  ///
  /// - Throws: `DigestError` if the file cannot be read.
  func digest(of file: FileText) throws(DigestError) -> Digest {
    let wish = Wish(file)
    state.withLock { $0.waiting.append(wish) }
    _ = state.wait(milliseconds: Self.longestWait) {
      wish.isServed || !$0.isBusy && $0.isFull
    }
    let group = state.when({ !$0.isBusy || wish.isServed }) { state -> [Wish] in
      guard !wish.isServed else { return [] }
      state.isBusy = true
      state.waiting.removeAll { $0 === wish }
      let company = state.waiting.prefix(MultiBufferSHA256.count - 1)
      state.waiting.removeFirst(company.count)
      return [wish] + company
    }
    if !group.isEmpty { serve(group) }
    guard let outcome = wish.outcome.withLock({ $0 }) else {
      fatalError("a file was left without a digest")
    }
    return try outcome.get()
  }

  private func serve(_ group: [Wish]) {
    var room = state.withLock { state in
      defer { state.room = [] }
      return state.room
    }
    if room.isEmpty { room = [UInt8](repeating: 0, count: FileText.room) }
    let outcomes = room.withUnsafeMutableBytes { room in
      FileText.digests(of: group.map(\.file), through: room)
    }
    let used = room
    state.withLock { state in
      for (wish, outcome) in zip(group, outcomes) { wish.outcome.withLock { $0 = outcome } }
      state.room = used
      state.isBusy = false
    }
  }
}
