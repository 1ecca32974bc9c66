import Synchronization
import Testing
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxFetching

struct TransferLimiterTests {
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
    return TransferLimiter(own: own, machine: machine, host: host, slots: store.slots)
  }

  /// Acquires the slots of a transfer; nil if they are not free.
  private func slots(_ limiter: TransferLimiter, _ name: String?) throws -> TransferLimiter.Slots? {
    if case .acquired(let slots) = try limiter.attempt(for: name) { slots } else { nil }
  }

  /// Whether a second transfer gets its slots while a first one holds some.
  private func isRoom(
    beside first: (TransferLimiter, String?), for second: (TransferLimiter, String?)
  ) throws -> Bool {
    let held = try #require(try slots(first.0, first.1))
    defer { first.0.release(held) }
    guard let more = try slots(second.0, second.1) else { return false }
    second.0.release(more)
    return true
  }

  @Test func `a process runs no more transfers at once than its limit`() throws {
    let limiter = try limiter(own: 2)
    let running = Atomic(0)
    let most = Monitor(0)
    let gate = Monitor(0)
    let threads = try (0..<6).map { _ in
      try WorkerThread.start("transfer") {
        do {
          let held = try #require(try slots(limiter, nil))
          let now = running.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
          most.withLock { $0 = max($0, now) }
          // The first two transfers wait for each other here, so that both slots are certainly in
          // use at once.
          gate.withLock { $0 += 1 }
          gate.when({ $0 >= 2 }) { _ in }
          running.wrappingSubtract(1, ordering: .sequentiallyConsistent)
          limiter.release(held)
        } catch {
          Issue.record(error)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(most.withLock { $0 } == 2)
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

  @Test func `a transfer that waits for a host uses no slot of the machine or the process`() throws
  {
    let waiting = try limiter(own: 1, machine: 2, host: 1)
    let other = try limiter(machine: 2, host: 1)
    let held = try #require(try slots(other, "a"))
    guard case .hostFull = try waiting.attempt(for: "a") else {
      Issue.record("the host has a free slot")
      return
    }
    let more = try #require(try slots(other, "b"))
    guard case .machineFull = try waiting.attempt(for: "b") else {
      Issue.record("the machine has a free slot")
      return
    }
    other.release(held)
    #expect(try slots(waiting, "a") != nil)
    other.release(more)
  }

  @Test func `a slot follows its transfer to another host`() throws {
    let limiter = try limiter(host: 1)
    let a = try #require(try slots(limiter, "a"))
    var b = try #require(try slots(limiter, "b"))
    #expect(try !limiter.move(&b, to: "a"))
    // The slot at the host before is free again.
    let again = try #require(try slots(limiter, "b"))
    limiter.release(a)
    #expect(try limiter.move(&b, to: "a"))
    #expect(try !isRoom(beside: (limiter, nil), for: (limiter, "a")))
    limiter.release(again)
    limiter.release(b)
  }
}
