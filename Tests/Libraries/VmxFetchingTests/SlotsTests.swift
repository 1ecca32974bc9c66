import Synchronization
import Testing
import VmxFetching
import VmxSystem

struct SlotsTests {
  @Test func `no more run at once than there are slots`() throws {
    let slots = Slots(2)
    let running = Atomic(0)
    let most = Monitor(0)
    let gate = Monitor(0)
    let threads = try (0..<6).map { _ in
      try WorkerThread.start("slot") {
        slots.withSlot {
          let now = running.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
          most.withLock { $0 = max($0, now) }
          // The first two meet here, so that both slots are surely in use at once.
          gate.withLock { $0 += 1 }
          gate.when({ $0 >= 2 }) { _ in }
          running.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(most.withLock { $0 } == 2)
  }

  @Test func `a slot is free again after a failure`() throws {
    struct Broken: Error {}
    let slots = Slots(1)
    #expect(throws: Broken.self) { try slots.withSlot { throw Broken() } }
    #expect(slots.withSlot { true })
  }
}
