import SystemPackage
import Testing
import VmxModel
import VmxSystem
import VmxTestSupport

struct DotLockTests {
  private let folder: ScratchFolder
  private var file: FilePath { folder.path("config") }
  private var lock: FilePath { folder.path("config.lock") }

  init() throws { folder = try ScratchFolder() }

  @Test func `the lock excludes another holder, and leaves nothing behind`() throws {
    let first = try DotLock.acquire(file, timeout: 0, as: "first")
    #expect(try FileFacts.of(lock) != nil)
    let error = try #require(throws: LockError.self) {
      try DotLock.acquire(file, timeout: 0, as: "second")
    }
    #expect(error.code == .lockBusy && error.summary.contains("vmx, first"))
    first.release()
    let second = try DotLock.acquire(file, timeout: 0, as: "second")
    second.release()
    #expect(folder.names() == [])
  }

  @Test func `the lock of a dead process is taken over`() throws {
    // A dead process leaves the file, and the kernel its lock.
    do {
      _ = try DotLock.acquire(file, timeout: 0, as: "dead")
    }
    #expect(try FileFacts.of(lock) != nil)
    let next = try DotLock.acquire(file, timeout: 0, as: "next")
    next.release()
    #expect(folder.names() == [])
  }

  @Test(arguments: [
    "", "[fetch]\n\tjobs = 3\n", String(repeating: "# a long file of git\n", count: 90),
  ])
  func `the lock of another program is never taken over`(text: String) throws {
    try folder.write("config.lock", text)
    let error = try #require(throws: LockError.self) {
      try DotLock.acquire(file, timeout: 20, as: "vmx")
    }
    #expect(error.code == .lockBusy && !error.summary.contains("git"))
    #expect(folder.names() == ["config.lock"])
  }
}
