import Glibc
import SystemPackage
import Testing
import VmxModel
@testable import VmxSystem
import VmxTestSupport

@Suite struct AtomicFileTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test(arguments: [true, false])
  func `a file is created and replaced`(durable: Bool) throws {
    try AtomicFile.replace(folder.path("a"), with: Array("one".utf8), durable: durable)
    #expect(try folder.text("a") == "one")
    try AtomicFile.replace(folder.path("a"), with: Array("two, longer".utf8), durable: durable)
    #expect(try folder.text("a") == "two, longer")
    #expect(folder.names() == ["a"])
  }

  @Test func `an empty file is created too`() throws {
    try AtomicFile.replace(folder.path("a"), with: [], durable: true)
    #expect(try folder.bytes("a").isEmpty)
  }

  @Test func `a process with the old file open continues to read it`() throws {
    try folder.write("a", "old")
    let old = try OpenFile(folder.path("a"), .readOnly)
    try AtomicFile.replace(folder.path("a"), with: Array("new".utf8), durable: false)
    var bytes = [UInt8](repeating: 0, count: 3)
    _ = try bytes.withUnsafeMutableBytes { try old.read(into: $0, at: 0) }
    #expect(bytes == Array("old".utf8))
  }

  @Test(arguments: [0o600, 0o640] as [FilePermissions.RawValue])
  func `the permissions are the requested ones`(mode: FilePermissions.RawValue) throws {
    try AtomicFile.replace(
      folder.path("a"), with: [1], mode: FilePermissions(rawValue: mode), durable: false)
    var facts = stat()
    #expect(stat(folder.path("a").string, &facts) == 0)
    #expect(facts.st_mode & 0o7777 == mode)
  }

  @Test func `a symbolic link is replaced, not followed`() throws {
    try folder.write("target", "kept")
    try #require(symlink("target", folder.path("a").string) == 0)
    try AtomicFile.replace(folder.path("a"), with: Array("new".utf8), durable: false)
    #expect(try folder.text("target") == "kept")
    #expect(try folder.text("a") == "new")
  }

  @Test func `a failure leaves no temporary file`() throws {
    try folder.makeFolder("a/full")
    #expect(throws: FileError.failed(.rename, folder.path("a"), .isDirectory)) {
      try AtomicFile.replace(folder.path("a"), with: [1, 2, 3], durable: true)
    }
    #expect(folder.names() == ["a"])
  }

  @Test func `a failure names the file and the call`() throws {
    let path = folder.path("away/a")
    #expect(throws: FileError.failed(.open, path, .noSuchFileOrDirectory)) {
      try AtomicFile.replace(path, with: [1], durable: true)
    }
  }

  @Test func `temporary names are hidden, recognisable and unique`() {
    let names = Set((0..<100).map { _ in LibraryLayout.temporaryName() })
    #expect(names.count == 100)
    #expect(names.allSatisfy { $0.hasPrefix(".vmx-") && $0.hasSuffix(".tmp") && $0.count == 25 })
  }

  @Test func `a temporary file has its bytes, and the target is unchanged`() throws {
    try AtomicFile.replace(folder.path("a"), with: [1], durable: false)
    let draft = try AtomicFile.draft(of: folder.path("a"), with: [2, 3])
    #expect(draft.removingLastComponent() == folder.path)
    #expect(LibraryLayout.isTemporary((draft.lastComponent?.string ?? "").utf8))
    #expect(try folder.bytes(draft.lastComponent?.string ?? "") == [2, 3])
    #expect(try folder.bytes("a") == [1])
    #expect(!LibraryLayout.isTemporary("a.tmp".utf8) && !LibraryLayout.isTemporary(".vmx-a".utf8))
  }

  @Test func `a relative name without a folder is in the current folder`() {
    #expect(FilePath("a").folder == ".")
    #expect(FilePath("/a").folder == "/")
    #expect(FilePath("a/b").folder == "a")
  }
}
