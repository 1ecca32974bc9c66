import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxStore

struct FormatTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func write(major: Int, minor: Int) throws {
    let header = StoreFixture.header.replacing(
      #""major":1,"minor":0"#, with: #""major":\#(major),"minor":\#(minor),"x":1"#)
    try fixture.folder.write(
      "home/store.jsonl", header + "\n" + StoreFixture.line("a/1", seq: 11) + "\n")
  }

  @Test func `a later minor version is read and written`() throws {
    try write(major: 1, minor: 7)
    let store = try fixture.open()
    try store.update(.durable) { $0.write(try .sample("a/2")) }
    #expect(try store.snapshot().ids() == ["a/1", "a/2"])
    #expect(try store.snapshot().header?.minor == 7)
  }

  @Test func `a later major version is refused`() throws {
    try write(major: 2, minor: 0)
    let store = try fixture.open()
    let expected = StoreError.tooNew(fixture.home.store, major: 2)
    #expect(throws: expected) { try store.snapshot() }
    #expect(throws: expected) { try store.update(.soon) { $0.write(try .sample("a/2")) } }
    #expect(expected.code == .storeTooNew)
  }

  @Test func `an older major version is read, not written`() throws {
    try write(major: 0, minor: 9)
    let store = try fixture.open()
    #expect(try store.snapshot().ids() == ["a/1"])
    let expected = StoreError.tooOld(fixture.home.store, major: 0)
    #expect(throws: expected) { try store.update(.soon) { $0.write(try .sample("a/2")) } }
    #expect(try fixture.lines().count == 2)
  }

  @Test func `a symbolic link in place of the store is not followed`() throws {
    try fixture.folder.write("elsewhere", StoreFixture.header + "\n")
    try fixture.folder.makeFolder("home")
    symlink(fixture.folder.path("elsewhere").string, fixture.home.store.string)
    #expect(throws: StoreError.self) { try fixture.open().snapshot() }
    #expect(throws: StoreError.self) {
      try fixture.open().update(.soon) { $0.write(try .sample("a/1")) }
    }
    #expect(try fixture.folder.text("elsewhere") == StoreFixture.header + "\n")
  }

  @Test func `a named pipe in place of the store blocks no reader`() throws {
    try fixture.folder.makeFolder("home")
    mkfifo(fixture.home.store.string, 0o600)
    #expect(throws: StoreError.self) { try fixture.open().snapshot() }
  }

  @Test func `a clock an hour before the newest line or 400 days after is suspect`() throws {
    let store = try fixture.open()
    try store.update(.soon) { $0.write(try .sample("a/1")) }
    let newest = fixture.clock.now
    let day: Int64 = 86_400_000
    for (offset, isSuspect) in [
      (-3_600_001, true), (-3_600_000, false), (0, false), (400 * day, false),
      (400 * day + 1, true),
    ] {
      let now = newest.adding(milliseconds: offset)
      let snapshot = try store.snapshot()
      if isSuspect {
        #expect(throws: StoreError.clockSuspect(now: now, newest: newest)) {
          try snapshot.checkClock(now: now)
        }
      } else {
        #expect(throws: Never.self) { try snapshot.checkClock(now: now) }
      }
    }
  }

  @Test func `no line, no suspicion`() throws {
    #expect(throws: Never.self) {
      try fixture.open().snapshot().checkClock(now: Timestamp(seconds: 0))
    }
  }
}
