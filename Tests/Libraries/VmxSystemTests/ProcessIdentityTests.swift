import Glibc
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct ProcessIdentityTests {
  @Test func `the process has its own identity`() {
    let clock = FixedClock()
    let identity = ProcessIdentity(clock: clock)
    #expect(identity.pid == getpid())
    #expect(identity.since == clock.now)
    #expect(!identity.host.isEmpty)
    #expect(identity.boot == bootID())
  }

  @Test func `its text is one readable line`() {
    let since = Timestamp(seconds: 86_400)
    let identity = ProcessIdentity(pid: 12, host: "castle", boot: "b", since: since)
    #expect(identity.text == "pid 12 on castle since \(since.text)")
  }

  @Test func `the boot has an id of 36 characters`() {
    #expect(bootID().count == 36)
  }
}
