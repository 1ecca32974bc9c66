import Synchronization
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxStore

struct ConcurrencyTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Runs bodies on separate threads and returns the errors that they throw.
  private func run(_ bodies: [@Sendable () throws -> Void]) throws -> [String] {
    let box = ProblemBox()
    let threads = try bodies.map { body in
      try WorkerThread.start("test") {
        do { try body() } catch { box.problems.withLock { $0.append("\(error)") } }
      }
    }
    for thread in threads { thread.join() }
    return box.problems.withLock { $0 }
  }

  private final class ProblemBox: Sendable {
    let problems = Mutex<[String]>([])
  }

  @Test func `16 writers lose nothing, readers see each state whole, compaction hinders none`()
    throws
  {
    let writers = 16
    let rounds = 50
    let fixture = fixture
    // On a busy machine, acquiring the lock may take seconds; this test is not about that.
    var options = StoreOptions()
    options.lockTimeout = 300_000
    let patient = options
    let box = ProblemBox()
    let left = Counter(writers)
    var bodies: [@Sendable () throws -> Void] = []
    // Imitates four processes of four threads each: every store has its own descriptors.
    for process in 0..<4 {
      let store = try fixture.open(patient)
      for thread in 0..<4 {
        bodies.append {
          defer { left.value.subtract(1, ordering: .relaxed) }
          for round in 0..<rounds {
            try store.update(round.isMultiple(of: 10) ? .durable : .soon) { transaction in
              let name = "w\(process)-\(thread)"
              transaction.write(try .sample("\(name)/e\(round)"))
              transaction.write(try .sample("\(name)/last", title: "\(round)"))
              let count = transaction.record(.network, "count")?.fields["n"]?.integer ?? 0
              let fields = JSONObject(distinct: [("n", .integer(count + 1))])
              transaction.write(StoredRecord(kind: .network, id: "count", fields: fields))
            }
          }
        }
      }
    }
    for _ in 0..<2 {
      bodies.append {
        let store = try fixture.open(patient)
        var before: Int64 = 0
        while left.value.load(ordering: .relaxed) > 0 {
          let snapshot = try store.snapshot()
          let count = snapshot.record(.network, "count")?.fields["n"]?.integer ?? 0
          let episodes = try snapshot.ids().filter { !$0.hasSuffix("/last") }.count
          if count < before || episodes != Int(count) {
            box.problems.withLock { $0.append("\(before) \(count) \(episodes)") }
          }
          before = count
        }
      }
    }
    bodies.append {
      let store = try fixture.open(patient)
      while left.value.load(ordering: .relaxed) > 0 {
        guard let file = try store.writer.current(writable: true), file.header != nil,
          let job = try store.tryJob(.compaction)
        else { continue }
        defer { job.release() }
        try store.writer.compact(file)
      }
    }
    let errors = try run(bodies)
    #expect(errors == [])
    #expect(box.problems.withLock { $0 } == [])
    let snapshot = try fixture.open().snapshot()
    #expect(try snapshot.ids().count == writers * (rounds + 1))
    #expect(snapshot.record(.network, "count")?.fields["n"] == .integer(Int64(writers * rounds)))
    #expect(snapshot.damage == [])
  }

  @Test func `many durable updates share their flushes`() throws {
    let disk = FaultyDisk()
    let store = try fixture.open(disk: disk)
    try store.update(.soon) { $0.write(try .sample("a/0")) }
    let bodies: [@Sendable () throws -> Void] = (0..<16).map { thread in
      {
        for round in 0..<20 {
          try store.update(.durable) { $0.write(try .sample("t\(thread)/e\(round)")) }
        }
      }
    }
    let errors = try run(bodies)
    #expect(errors == [])
    #expect(disk.plan.withLock { $0.flushed.count } <= 320)
    #expect(try store.snapshot().ids().count == 321)
  }
}

private final class Counter: Sendable {
  let value: Atomic<Int>

  init(_ value: Int) { self.value = Atomic(value) }
}
