import Synchronization
import Testing
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxFetching

struct TransferLimiterTests {
  private struct Broken: Error {}
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Returns the limiter as another process would create it: each store has its own description of
  /// the lock file.
  private func limiter(
    own: Int = 9, machine: Int64 = 9, host: Int64 = 9
  ) throws -> TransferLimiter {
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: FixedClock())
    return TransferLimiter(
      own: own, machine: machine, host: host, store.slots, changes: ChangeSignal())
  }

  /// Whether a second transfer gets a permit while a first one holds one.
  private func isRoom(
    beside first: (TransferLimiter, String?), for second: (TransferLimiter, String?)
  ) throws -> Bool {
    try first.0.withPermit(for: first.1, checkStop: {}) { _ in
      do {
        return try second.0.withPermit(for: second.1, checkStop: { throw Broken() }) { _ in true }
      } catch is Broken {
        return false
      }
    }
  }

  @Test func `a process runs no more transfers at once than its limit`() throws {
    let limiter = try limiter(own: 2)
    let running = Atomic(0)
    let most = Monitor(0)
    let gate = Monitor(0)
    let threads = try (0..<6).map { _ in
      try WorkerThread.start("transfer") {
        do {
          try limiter.withPermit(for: nil, checkStop: {}) { _ in
            let now = running.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
            most.withLock { $0 = max($0, now) }
            // The first two transfers wait for each other here, so that both permits are certainly
            // in use at once.
            gate.withLock { $0 += 1 }
            gate.when({ $0 >= 2 }) { _ in }
            running.wrappingSubtract(1, ordering: .sequentiallyConsistent)
          }
        } catch {
          Issue.record(error)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(most.withLock { $0 } == 2)
  }

  @Test func `a permit is released after a failure`() throws {
    let limiter = try limiter(own: 1, machine: 1, host: 1)
    #expect(throws: Broken.self) {
      try limiter.withPermit(for: "a", checkStop: {}) { _ in throw Broken() }
    }
    #expect(try limiter.withPermit(for: "a", checkStop: {}) { _ in true })
  }

  @Test func `a permit that is released early is available while the body continues`() throws {
    let limiter = try limiter(own: 1, machine: 1, host: 1)
    let isRoom = try limiter.withPermit(for: "a", checkStop: {}) { permit in
      permit.release()
      return try limiter.withPermit(for: "a", checkStop: { throw Broken() }) { _ in true }
    }
    #expect(isRoom)
    // The permit was released only once: there are not two permits now.
    #expect(try !self.isRoom(beside: (limiter, "a"), for: (self.limiter(machine: 1), "a")))
  }

  @Test func `processes share the limit of the machine`() throws {
    #expect(try !isRoom(beside: (limiter(machine: 1), "a"), for: (limiter(machine: 1), "b")))
    #expect(try isRoom(beside: (limiter(machine: 2), "a"), for: (limiter(machine: 2), "b")))
  }

  @Test func `processes share the limit of a host, and other hosts continue`() throws {
    #expect(try !isRoom(beside: (limiter(host: 1), "a"), for: (limiter(host: 1), "a")))
    #expect(try isRoom(beside: (limiter(host: 1), "a"), for: (limiter(host: 1), "b")))
    #expect(try isRoom(beside: (limiter(host: 1), "a"), for: (limiter(host: 1), nil)))
  }

  @Test func `a transfer that waits for a host uses no slot of the machine`() throws {
    let waiting = Monitor(false)
    let slow = try limiter(machine: 2, host: 1)
    let other = try limiter(machine: 2, host: 1)
    let isOver = Monitor(false)
    let thread = Monitor<WorkerThread?>(nil)
    try other.withPermit(for: "a", checkStop: {}) { _ in
      let started = try WorkerThread.start("slow") {
        do {
          try slow.withPermit(for: "a", checkStop: { waiting.withLock { $0 = true } }) { _ in
            #expect(isOver.withLock { $0 })
          }
        } catch {
          Issue.record(error)
        }
      }
      thread.withLock { $0 = started }
      waiting.when({ $0 }) { _ in }
      // The other limiter may hold a slot briefly while it tries, so this one gets it after some
      // attempts.
      #expect(try other.withPermit(for: "b", checkStop: {}) { _ in true })
      isOver.withLock { $0 = true }
    }
    thread.withLock { $0 }?.join()
  }
}
