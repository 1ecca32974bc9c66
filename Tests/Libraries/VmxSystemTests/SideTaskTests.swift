import Synchronization
import Testing
import VmxModel
import VmxSystem

struct SideTaskTests {
  @Test func `the body runs at once, and a last time after the other work`() throws {
    let hasRun = Monitor(false)
    let task = try SideTask("test", of: 0) { task in
      task.runRepeatedly {
        task.update { $0 += 1 }
        hasRun.withLock { $0 = true }
        return true
      }
    }
    #expect(hasRun.wait(milliseconds: 5000) { $0 })
    #expect(try task.finish() == 2)
  }

  @Test func `a body that returns false does not run again`() throws {
    let hasRun = Monitor(false)
    let task = try SideTask("test", of: 0) { task in
      task.runRepeatedly {
        task.update { $0 += 1 }
        hasRun.withLock { $0 = true }
        return false
      }
    }
    #expect(hasRun.wait(milliseconds: 5000) { $0 })
    #expect(try task.finish() == 1)
  }
}
