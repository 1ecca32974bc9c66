import SystemPackage
import Testing
import VmxModel

@testable import VmxSystem

@Suite struct LockErrorTests {
  @Test(arguments: [Errno.noLocks, .invalidArgument, .notSupported, .noFunction])
  func `a file system without locks is a separate error`(errno: Errno) {
    #expect(LockError(errno, "lock").code == .lockUnsupported)
  }

  @Test func `another refusal is an unreadable store`() {
    #expect(LockError(.ioError, "lock") == .unusable(.failed(.lock, "lock", .ioError)))
    #expect(LockError(.ioError, "lock").code == .storeUnreadable)
  }

  @Test func `a full disk under the lock file is a full store`() {
    #expect(LockError.unusable(.failed(.open, "lock", .noSpace)).code == .storeFull)
  }

  @Test func `busy reports the lock, the place, the wait and its holder`() {
    let error = LockError.busy(
      what: "the write lock", path: "/home/lock", holder: "pid 12 on castle", waited: 10_000)
    #expect(error.code == .lockBusy)
    #expect(
      error.summary
        == "the write lock in '/home/lock' was busy for 10000 ms, held by pid 12 on castle")
  }

  @Test func `a holder without a hint is another process`() {
    let error = LockError.busy(what: "the lock", path: "l", holder: nil, waited: 0)
    #expect(error.summary.hasSuffix("held by another process"))
  }
}
