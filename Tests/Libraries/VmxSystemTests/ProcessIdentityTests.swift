import Glibc
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct ProcessIdentityTests {
  @Test func `this process knows who it is`() {
    let clock = FixedClock()
    let identity = ProcessIdentity(clock: clock)
    #expect(identity.pid == getpid())
    #expect(identity.since == clock.now)
    #expect(!identity.host.isEmpty)
    #expect(identity.boot == bootID())
  }

  @Test func `its text is one line for people`() {
    let identity = ProcessIdentity(
      pid: 12, host: "castle", boot: "b", since: Timestamp(seconds: 0))
    #expect(identity.text == "pid 12 on castle since 1970-01-01T00:00:00.000Z")
  }

  @Test func `the boot has an id of 36 characters`() {
    #expect(bootID().count == 36)
  }
}
