import Testing
import VmxModel

@testable import VmxSystem

@Suite struct LockWaitTests {
  @Test func `attempts are repeated until one succeeds`() throws {
    var count = 0
    let isAcquired = try LockWait(milliseconds: 60_000).acquire {
      count += 1
      return count == 3
    }
    #expect(isAcquired)
    #expect(count == 3)
  }

  @Test func `without time there is one attempt`() throws {
    var count = 0
    let isAcquired = try LockWait(milliseconds: 0).acquire {
      count += 1
      return false
    }
    #expect(!isAcquired)
    #expect(count == 1)
    #expect(try LockWait(milliseconds: 0).acquire { true })
  }

  @Test func `a request to stop ends the wait`() {
    let wait = LockWait(milliseconds: 60_000, shouldStop: { true })
    #expect(throws: WorkEnded.interrupted) { try wait.acquire { false } }
  }
}
