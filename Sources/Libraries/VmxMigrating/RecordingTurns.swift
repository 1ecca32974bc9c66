import VmxModel
import VmxSystem

// Equal bytes connect two findings only after both were read. So the first one to be recorded
// decides the id of their episode, and the order of records is that of the findings. A finding that
// shares an identity key with an earlier one begins only after that has ended, and so always finds
// its episode. The results then do not depend on the number and speed of threads.

/// The order in which the threads of a migration begin and record their findings.
final class RecordingTurns: Sendable {
  /// The turn of one finding. It is used by one thread.
  struct Slot: Sendable {
    private let turns: RecordingTurns
    private let number: Int

    fileprivate init(_ number: Int, in turns: RecordingTurns) {
      self.number = number
      self.turns = turns
    }

    /// Waits until the earlier findings with a common identity key have ended.
    func begin() {
      guard let earlier = turns.earlier[number] else { return }
      turns.state.when({ earlier.isSubset(of: $0.ended) }, { _ in })
    }

    /// Waits until all earlier findings are recorded, or need no record.
    func wait() {
      turns.state.when({ $0.next >= number }, { _ in })
    }

    /// Lets the next finding be recorded; only the first call has an effect.
    func release() {
      turns.state.withLock { $0.release(number) }
    }

    /// Ends the finding, with or without a record.
    func end() {
      turns.state.withLock {
        $0.release(number)
        $0.ended.insert(number)
      }
    }
  }

  private struct State {
    /// The first finding that has not passed.
    var next = 0
    /// The later findings that have passed.
    var released: Set<Int> = []
    var ended: Set<Int> = []

    mutating func release(_ number: Int) {
      guard number >= next else { return }
      released.insert(number)
      while released.remove(next) != nil { next += 1 }
    }
  }

  /// For each identity key, the last earlier finding that has it too, by the number of a finding.
  private let earlier: [Int: Set<Int>]
  private let state = Monitor(State())

  /// Creates the order of findings, which threads begin in this order.
  init(_ findings: [LegacyFinding]) {
    var last: [IdentityKey: Int] = [:]
    var earlier: [Int: Set<Int>] = [:]
    for (number, finding) in findings.enumerated() {
      guard case .episode(let episode) = finding else { continue }
      for key in episode.keys {
        guard let other = last.updateValue(number, forKey: key), other < number else { continue }
        earlier[number, default: []].insert(other)
      }
    }
    self.earlier = earlier
  }

  /// Returns the turn of a finding, by its number from 0.
  func slot(_ number: Int) -> Slot { Slot(number, in: self) }
}
