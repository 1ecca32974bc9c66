import Glibc
import Synchronization
import Testing

@testable import VmxSystem

@Suite struct MonitorTests {
  @Test func `waiting for a change that never happens ends at the timeout`() {
    #expect(!Monitor(0).wait(milliseconds: 1) { $0 == 1 })
  }

  @Test func `waiting ends when the expected change happens`() throws {
    let monitor = Monitor(0)
    let thread = try WorkerThread.start("counter") {
      for _ in 0..<10 { monitor.withLock { $0 += 1 } }
    }
    #expect(monitor.wait(milliseconds: 600_000) { $0 == 10 })
    thread.join()
  }

  @Test func `many threads change it one at a time`() throws {
    let monitor = Monitor(0)
    let threads = try (0..<4).map { _ in
      try WorkerThread.start("counter") { for _ in 0..<1000 { monitor.withLock { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(monitor.withLock { $0 } == 4000)
  }

  @Test func `a change that one waiter can use wakes one`() throws {
    let monitor = Monitor(0)
    let looks = Mutex<[pthread_t: Int]>([:])
    let threads = try (0..<8).map { _ in
      try WorkerThread.start("taker") {
        let me = pthread_self()
        monitor.when({ count in
          if pthread_self() == me { looks.withLock { $0[me, default: 0] += 1 } }
          return count > 0
        }) { $0 -= 1 }
      }
    }
    while monitor.waiting < 8 { sched_yield() }
    for left in (0..<8).reversed() {
      monitor.withLock { $0 += 1 }
      while monitor.waiting > left { sched_yield() }
    }
    for thread in threads { thread.join() }
    // Each waiter evaluated its condition at its start and after its only wake-up.
    #expect(looks.withLock { $0.values.sorted() } == [Int](repeating: 2, count: 8))
  }

  @Test func `a change that all waiters can use wakes all, one after the other`() throws {
    let monitor = Monitor(false)
    let threads = try (0..<8).map { number in
      try WorkerThread.start("waiter") {
        if number.isMultiple(of: 2) {
          monitor.when({ $0 }, { _ in })
        } else {
          _ = monitor.wait(milliseconds: 600_000) { $0 }
        }
      }
    }
    while monitor.waiting < 8 { sched_yield() }
    monitor.withLock { $0 = true }
    for thread in threads { thread.join() }
  }

  @Test func `a waiter that is woken too late passes the wake-up on`() throws {
    // Two kinds of waiters on one state: receivers and senders.
    let channel = Channel<Int>(capacity: 1)
    let sums = Mutex(0)
    let takers = try (0..<4).map { _ in
      try WorkerThread.start("taker") {
        while let value = channel.receive() { sums.withLock { $0 += value } }
      }
    }
    let putters = try (0..<4).map { _ in
      try WorkerThread.start("putter") { for value in 1...500 { channel.send(value) } }
    }
    for thread in putters { thread.join() }
    channel.close()
    for thread in takers { thread.join() }
    #expect(sums.withLock { $0 } == 4 * 500 * 501 / 2)
  }
}
