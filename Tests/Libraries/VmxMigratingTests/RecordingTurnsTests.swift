import Glibc
import Synchronization
import Testing
import VmxModel
import VmxSystem

@testable import VmxMigrating

@Suite struct RecordingTurnsTests {
  private static func episode(_ title: String, _ number: Int64?) -> LegacyFinding {
    var episode = LegacyEpisode(.tree, record: title)
    (episode.description.showTitle, episode.description.title) = ("Show", title)
    (episode.description.season, episode.description.number) = (1, number)
    return .episode(episode)
  }

  /// Runs the findings on eight threads, the first ones slowest; returns the order of the records.
  private static func recorded(_ findings: [LegacyFinding]) throws -> [Int] {
    let turns = RecordingTurns(findings)
    let recorded = Mutex<[Int]>([])
    WorkerThread.forEachInOrder(findings.count, threads: 8, named: "test") {
    } make: { number, _ in
      let turn = turns.slot(number)
      defer { turn.end() }
      turn.begin()
      for _ in 0..<(findings.count - number) * 1000 { sched_yield() }
      turn.wait()
      recorded.withLock { $0.append(number) }
      turn.release()
      return number
    } take: { _ in
      true
    }
    return recorded.withLock { $0 }
  }

  @Test func `the findings are recorded in their turns, however fast they are read`() throws {
    let findings = (1...12).map { (number: Int64) in Self.episode("T\(number)", number) }
    #expect(try Self.recorded(findings) == Array(0..<12))
  }

  @Test func `a finding without a record stops no other`() throws {
    let turns = RecordingTurns((1...3).map { Self.episode("T", $0) })
    turns.slot(1).end()
    turns.slot(0).end()
    turns.slot(2).begin()
    turns.slot(2).wait()
    turns.slot(2).end()
  }

  @Test func `a finding begins after the end of an earlier one of the same episode`() throws {
    let turns = RecordingTurns([Self.episode("A", 1), Self.episode("B", 2), Self.episode("C", 1)])
    let ended = Mutex(false)
    let waiting = try WorkerThread.start("test") {
      turns.slot(2).begin()
      #expect(ended.withLock { $0 })
    }
    turns.slot(0).release()
    turns.slot(1).end()
    for _ in 0..<10_000 { sched_yield() }
    ended.withLock { $0 = true }
    turns.slot(0).end()
    waiting.join()
  }
}
