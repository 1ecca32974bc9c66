import SystemPackage
import Testing
import VmxTestSupport

@testable import VmxSystem

@Suite struct LockHintTests {
  let folder: ScratchFolder
  let lock: LockFile

  init() throws {
    folder = try ScratchFolder()
    lock = try LockFile.open(folder.path("lock"))
  }

  @Test func `a hint can be read by others`() throws {
    lock.writeHint("pid 12 on castle")
    #expect(try LockFile.open(lock.path).hint() == "pid 12 on castle")
  }

  @Test func `without a hint none is returned`() {
    #expect(lock.hint() == nil)
  }

  @Test func `each of the first 31 bytes has a hint of its own`() {
    for offset in 0..<Int64(31) { lock.writeHint("holder \(offset)", of: offset) }
    #expect((0..<Int64(31)).map { lock.hint(of: $0) } == (0..<31).map { "holder \($0)" })
  }

  @Test func `bytes further out have no hints, and writing one damages none`() {
    lock.writeHint("last", of: 30)
    lock.writeHint("beyond", of: 31)
    lock.writeHint("claim", of: 4096)
    #expect(lock.hint(of: 31) == nil)
    #expect(lock.hint(of: 30) == "last")
  }

  @Test func `a shorter hint overwrites a longer one completely`() {
    lock.writeHint("a long hint about another process")
    lock.writeHint("short")
    #expect(lock.hint() == "short")
  }

  @Test func `a long hint is truncated to its slot, between characters`() {
    lock.writeHint(String(repeating: "ä", count: 100))
    #expect(lock.hint() == String(repeating: "ä", count: 63))
    #expect(lock.hint(of: 1) == nil)
  }

  @Test func `control characters of a hint are not printed`() {
    lock.writeHint("a\u{1B}[31mb\nc\u{7F}")
    #expect(lock.hint() == "a[31mbc")
  }

  @Test func `hints are below the claims`() throws {
    lock.writeHint(String(repeating: "x", count: 500), of: 30)
    #expect(try lock.file.facts().size <= 4096)
  }
}
