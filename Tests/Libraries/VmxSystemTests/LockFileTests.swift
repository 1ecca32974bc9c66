import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

/// A second open file description imitates another process: the locks belong to descriptions.
@Suite struct LockFileTests {
  let folder: ScratchFolder
  let mine: LockFile
  let theirs: LockFile

  init() throws {
    folder = try ScratchFolder()
    mine = try LockFile.open(folder.path("lock"))
    theirs = try LockFile.open(folder.path("lock"))
  }

  @Test func `an exclusive lock keeps all others out`() throws {
    #expect(try mine.tryLock(0, .exclusive))
    #expect(try !theirs.tryLock(0, .exclusive))
    #expect(try !theirs.tryLock(0, .shared))
  }

  @Test func `shared locks coexist and keep an exclusive one out`() throws {
    #expect(try mine.tryLock(7, .shared))
    #expect(try theirs.tryLock(7, .shared))
    #expect(try !theirs.tryLock(7, .exclusive))
  }

  @Test func `a released range is free`() throws {
    #expect(try mine.tryLock(0, .exclusive))
    mine.unlock(0)
    #expect(try theirs.tryLock(0, .exclusive))
  }

  @Test func `neighbouring bytes are different locks`() throws {
    #expect(try mine.tryLock(4096, .exclusive))
    #expect(try theirs.tryLock(4097, .exclusive))
  }

  @Test func `a claim may be as far out as a 62-bit hash puts it`() throws {
    let offset: Int64 = 4096 + ((1 << 62) - 1)
    #expect(try mine.tryLock(offset, .exclusive))
    #expect(try !theirs.tryLock(offset, .exclusive))
  }

  @Test func `the same description never conflicts with itself`() throws {
    #expect(try mine.tryLock(0, .exclusive))
    #expect(try mine.tryLock(0, .exclusive))
  }

  @Test func `locks are released with the last reference to the lock file`() throws {
    var other: LockFile? = try LockFile.open(folder.path("lock"))
    #expect(try other?.tryLock(0, .exclusive) == true)
    other = nil
    #expect(try mine.tryLock(0, .exclusive))
  }

  @Test func `locks of other processes are reported, our own are not`() throws {
    #expect(try mine.conflictingMode(3) == nil)
    _ = try theirs.tryLock(3, .shared)
    #expect(try mine.conflictingMode(3) == .shared)
    #expect(try theirs.conflictingMode(3) == nil)
    _ = try theirs.tryLock(3, .exclusive)
    #expect(try mine.conflictingMode(3) == .exclusive)
  }

  @Test func `a wait that times out returns the hint of the holder`() throws {
    _ = try theirs.tryLock(0, .exclusive)
    theirs.writeHint("vmx-fetch, pid 4711 on castle")
    let error = #expect(throws: LockError.self) {
      try mine.lock(0, .exclusive, timeout: 5, what: "the write lock")
    }
    guard case .busy("the write lock", mine.path, let holder, let waited) = error else {
      Issue.record("not busy")
      return
    }
    #expect(holder == "vmx-fetch, pid 4711 on castle")
    #expect(waited >= 5)
  }

  @Test func `a caller that is stopped waits no longer`() throws {
    _ = try theirs.tryLock(0, .exclusive)
    var asked = 0
    let error = #expect(throws: LockError.self) {
      try mine.lock(0, .exclusive, timeout: .max, what: "the write lock") {
        asked += 1
        return asked == 3
      }
    }
    #expect(asked == 3)
    #expect(error?.code == .interrupted)
  }

  @Test func `a timeout of 0 tries once`() throws {
    try mine.lock(0, .exclusive, timeout: 0, what: "the write lock")
    #expect(throws: LockError.self) {
      try theirs.lock(0, .exclusive, timeout: 0, what: "the write lock")
    }
  }

  @Test func `a waiting caller gets the lock when it is released`() throws {
    _ = try theirs.tryLock(0, .exclusive)
    let waiting = Channel<Bool>(capacity: 1)
    let outcome = Channel<Bool>(capacity: 1)
    let mine = mine
    let waiter = try WorkerThread.start("waiter") {
      waiting.send(true)
      do throws(LockError) {
        try mine.lock(0, .exclusive, timeout: 600_000, what: "the write lock")
        outcome.send(true)
      } catch {
        outcome.send(false)
      }
    }
    #expect(waiting.receive() == true)
    theirs.unlock(0)
    #expect(outcome.receive() == true)
    waiter.join()
    #expect(try !theirs.tryLock(0, .exclusive))
  }

  @Test func `the lock file is accessible to its owner only`() throws {
    var facts = stat()
    #expect(mine.path.withPlatformString { stat($0, &facts) } == 0)
    #expect(facts.st_mode & 0o7777 == 0o600)
  }

  @Test func `no child inherits the description`() throws {
    #expect(fcntl(mine.file.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    let child = try ChildProcess(
      "/bin/sh", ["-c", "for fd in /proc/self/fd/*; do readlink $fd; done"],
      environment: ["PATH": "/bin:/usr/bin"],
      streams: .init(output: folder.path("names"), error: folder.path("errors")))
    #expect(child.wait(seconds: 60) != nil)
    let names = try folder.text("names")
    #expect(names.contains("/dev/null"))
    #expect(!names.contains(mine.path.string))
  }

  @Test func `a lock file that is a symbolic link is refused`() throws {
    try #require(symlink("lock", folder.path("link").string) == 0)
    let path = folder.path("link")
    #expect(throws: LockError.unusable(.isLink(path))) {
      _ = try LockFile.open(path)
    }
  }

  @Test func `a lock file that is not a regular file is refused`() throws {
    let path = folder.path("pipe")
    try #require(mkfifo(path.string, 0o600) == 0)
    #expect(throws: LockError.unusable(.notRegular(path))) { _ = try LockFile.open(path) }
  }

  @Test func `a lock file in a missing folder is an error, and the folder is not created`() throws {
    let path = folder.path("away/lock")
    #expect(throws: LockError.unusable(.failed(.open, path, .noSuchFileOrDirectory))) {
      _ = try LockFile.open(path)
    }
  }
}
