import Synchronization
import VmxDigest
import VmxModel
import VmxSystem

/// Digests small files, those of several threads side by side.
///
/// One group is digested at a time, by one of those who brought its files: as soon as there are as
/// many as there are lanes, or nobody else is expected, or one has waited for a moment. Eight take
/// hardly longer than one, so who waits for company gains what all of them save; the network is
/// free for others meanwhile.
final class DigestBatcher: Sendable {
  /// Milliseconds that a file waits for others at most.
  private static let longestWait: Int64 = 8

  private struct State {
    var waiting: [Wish] = []
    /// Transfers that are under way, those that wait here included.
    var expected = 0
    var isBusy = false
    /// What files are read into, while nobody is at work.
    var room: [UInt8] = []

    /// Whether more company would be of no use, or is not to be had.
    var isFull: Bool { waiting.count >= min(MultiBufferSHA256.count, expected) }
  }

  /// One file and, in the end, how it ended.
  private final class Wish: Sendable {
    let file: FileText
    let outcome = Mutex<FileText.Outcome?>(nil)

    init(_ file: FileText) { self.file = file }

    var isServed: Bool { outcome.withLock { $0 != nil } }
  }

  private let state = Monitor(State())

  /// One more transfer is under way, which may bring a file.
  func expectsOne() { state.withLock { $0.expected += 1 } }

  /// One of them has ended.
  func expectsOneLess() { state.withLock { $0.expected -= 1 } }

  /// The SHA-256 of a file that stays open.
  ///
  /// - Throws: `DigestError` if it cannot be read.
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
