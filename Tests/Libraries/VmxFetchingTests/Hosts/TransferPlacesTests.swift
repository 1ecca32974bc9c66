import Synchronization
import Testing
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxFetching

struct TransferPlacesTests {
  private struct Broken: Error {}
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Places of a process of its own: each store has a description of the lock file.
  private func places(
    own: Int = 9, machine: Int64 = 9, host: Int64 = 9,
    pause: @escaping @Sendable () -> Void = {}
  ) throws -> TransferPlaces {
    let store = try LibraryStore.open(LibraryHome(folder.path), clock: FixedClock())
    return TransferPlaces(
      own: own, machine: machine, host: host, store.slots, pause: pause)
  }

  /// Whether a second transfer finds a place while a first one holds its own.
  private func isRoom(
    beside first: (TransferPlaces, String?), for second: (TransferPlaces, String?)
  ) throws -> Bool {
    try first.0.withPlace(at: first.1, heed: {}) { _ in
      do {
        return try second.0.withPlace(at: second.1, heed: { throw Broken() }) { _ in true }
      } catch is Broken {
        return false
      }
    }
  }

  @Test func `no more run at once in a process than it may`() throws {
    let places = try places(own: 2)
    let running = Atomic(0)
    let most = Monitor(0)
    let gate = Monitor(0)
    let threads = try (0..<6).map { _ in
      try WorkerThread.start("place") {
        do {
          try places.withPlace(at: nil, heed: {}) { _ in
            let now = running.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue
            most.withLock { $0 = max($0, now) }
            // The first two meet here, so that both places are surely in use at once.
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

  @Test func `a place is free again after a failure`() throws {
    let places = try places(own: 1, machine: 1, host: 1)
    #expect(throws: Broken.self) {
      try places.withPlace(at: "a", heed: {}) { _ in throw Broken() }
    }
    #expect(try places.withPlace(at: "a", heed: {}) { _ in true })
  }

  @Test func `a place that is left early is free while the body goes on`() throws {
    let places = try places(own: 1, machine: 1, host: 1)
    let isRoom = try places.withPlace(at: "a", heed: {}) { place in
      place.leave()
      return try places.withPlace(at: "a", heed: { throw Broken() }) { _ in true }
    }
    #expect(isRoom)
    // It was left once: there are no two places now.
    #expect(try !self.isRoom(beside: (places, "a"), for: (self.places(machine: 1), "a")))
  }

  @Test func `processes keep the limit of the machine together`() throws {
    #expect(try !isRoom(beside: (places(machine: 1), "a"), for: (places(machine: 1), "b")))
    #expect(try isRoom(beside: (places(machine: 2), "a"), for: (places(machine: 2), "b")))
  }

  @Test func `processes keep the limit of a host together, and others go on`() throws {
    #expect(try !isRoom(beside: (places(host: 1), "a"), for: (places(host: 1), "a")))
    #expect(try isRoom(beside: (places(host: 1), "a"), for: (places(host: 1), "b")))
    #expect(try isRoom(beside: (places(host: 1), "a"), for: (places(host: 1), nil)))
  }

  @Test func `who waits for a host holds no place of the machine`() throws {
    let waiting = Monitor(false)
    let slow = try places(machine: 2, host: 1, pause: { waiting.withLock { $0 = true } })
    let other = try places(machine: 2, host: 1)
    let isOver = Monitor(false)
    let thread = Monitor<WorkerThread?>(nil)
    try other.withPlace(at: "a", heed: {}) { _ in
      let started = try WorkerThread.start("slow") {
        do {
          try slow.withPlace(at: "a", heed: {}) { _ in
            #expect(isOver.withLock { $0 })
          }
        } catch {
          Issue.record(error)
        }
      }
      thread.withLock { $0 = started }
      waiting.when({ $0 }) { _ in }
      // It may hold one while it looks, for a moment: sooner or later this one finds room.
      #expect(try other.withPlace(at: "b", heed: {}) { _ in true })
      isOver.withLock { $0 = true }
    }
    thread.withLock { $0 }?.join()
  }
}
