import Testing

@testable import VmxSystem

/// A flush that announces each group and then waits until the test releases it.
private final class GatedFlush: Sendable {
  struct Broken: Error, Equatable { let group: [Int] }

  let begun = Channel<[Int]>(capacity: 100)
  let gate = Channel<Bool>(capacity: 100)
  let ended = Monitor<[Int: Bool]>([:])
  let flush: GroupFlush<Int, Broken>

  init() {
    let begun = begun
    let gate = gate
    flush = GroupFlush { items throws(Broken) in
      begun.send(items)
      if gate.receive() != true { throw Broken(group: items) }
    }
  }

  func submit(_ item: Int) throws -> WorkerThread {
    try WorkerThread.start("submit \(item)") {
      do throws(Broken) {
        try self.flush.submit(item)
        self.ended.withLock { $0[item] = true }
      } catch {
        self.ended.withLock { $0[item] = false }
      }
    }
  }

  func waitForGathered(_ count: Int) {
    flush.state.when({ $0.items.count == count }, { _ in })
  }
}

@Suite struct GroupFlushTests {
  fileprivate let gated = GatedFlush()

  @Test func `all callers that wait for one flush share the next one`() throws {
    var threads = [try gated.submit(0)]
    #expect(gated.begun.receive() == [0])
    for item in 1...9 { threads.append(try gated.submit(item)) }
    gated.waitForGathered(9)
    gated.gate.send(true)
    #expect(gated.begun.receive()?.sorted() == Array(1...9))
    gated.gate.send(true)
    for thread in threads { thread.join() }
    #expect(gated.ended.withLock { $0.count } == 10)
    gated.begun.close()
    #expect(gated.begun.receive() == nil)
  }

  @Test func `a group is flushed in the order of submission`() throws {
    var threads = [try gated.submit(0)]
    _ = gated.begun.receive()
    for item in 1...5 {
      threads.append(try gated.submit(item))
      gated.waitForGathered(item)
    }
    gated.gate.send(true)
    #expect(gated.begun.receive() == [1, 2, 3, 4, 5])
    gated.gate.send(true)
    for thread in threads { thread.join() }
  }

  @Test func `no caller returns before the flush of its group has ended`() throws {
    let thread = try gated.submit(0)
    _ = gated.begun.receive()
    #expect(gated.ended.withLock { $0.isEmpty })
    gated.gate.send(true)
    thread.join()
    #expect(gated.ended.withLock { $0 } == [0: true])
  }

  @Test func `a failure reaches all of its group and no other`() throws {
    var threads = [try gated.submit(0)]
    _ = gated.begun.receive()
    for item in 1...3 { threads.append(try gated.submit(item)) }
    gated.waitForGathered(3)
    gated.gate.send(true)
    _ = gated.begun.receive()
    threads.append(try gated.submit(4))
    gated.waitForGathered(1)
    gated.gate.send(false)
    #expect(gated.begun.receive() == [4])
    gated.gate.send(true)
    for thread in threads { thread.join() }
    #expect(
      gated.ended.withLock { $0 } == [0: true, 1: false, 2: false, 3: false, 4: true])
  }

  @Test func `a single flush does not wait for others`() throws {
    let flush = GroupFlush<Int, Never> { _ in }
    flush.submit(1)
    flush.submit(2)
    #expect(flush.state.withLock { $0.outcomes.isEmpty })
  }

  @Test func `many threads lose no item and leave nothing behind`() throws {
    let flushed = Monitor<[Int]>([])
    let flush = GroupFlush<Int, Never> { items in flushed.withLock { $0 += items } }
    let threads = try (0..<8).map { thread in
      try WorkerThread.start("flusher") {
        for item in 0..<200 { flush.submit(thread * 200 + item) }
      }
    }
    for thread in threads { thread.join() }
    #expect(flushed.withLock { $0.sorted() } == Array(0..<1600))
    #expect(flush.state.withLock { $0.outcomes.isEmpty && $0.items.isEmpty && !$0.isFlushing })
  }
}
