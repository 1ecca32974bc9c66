import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct DiskSpaceTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `there is free space in the test folder`() throws {
    #expect(try freeSpace(at: folder.path).bytes > 0)
  }

  @Test func `free space of a missing path is not guessed`() throws {
    #expect(throws: FileError.failed(.inspect, folder.path("away"), .noSuchFileOrDirectory)) {
      _ = try freeSpace(at: folder.path("away"))
    }
  }

  @Test func `space reserved beyond the end does not change the length`() throws {
    let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
    let reserved = try preallocate(
      file.descriptor, of: file.path, ByteCount(clamping: 1 << 20), keepSize: true)
    let facts = try file.facts()
    #expect(facts.size == 0)
    let allocated = facts.allocated
    #expect(!reserved || allocated >= 1 << 20)
  }

  @Test func `space reserved without keeping the length extends the file`() throws {
    let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
    let reserved = try preallocate(
      file.descriptor, of: file.path, from: 1000, ByteCount(clamping: 24), keepSize: false)
    let size = try file.facts().size
    #expect(size == (reserved ? 1024 : 0))
  }

  @Test func `a reservation beyond the free space is refused before any is taken`() throws {
    let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
    let path = file.path
    let error = #expect(throws: FileError.self) {
      try DiskSpaceTests.reserve(ByteCount(clamping: .max), path)
    }
    #expect(error == .failed(.allocate, path, .noSpace))
    #expect(error?.code == .diskFull)
    let allocated = try file.facts().allocated
    #expect(allocated == 0)
  }

  private static func reserve(_ length: ByteCount, _ path: FilePath) throws {
    let file = try OpenFile(path, .readWrite)
    _ = try preallocate(file.descriptor, of: path, length, keepSize: true)
  }
}
