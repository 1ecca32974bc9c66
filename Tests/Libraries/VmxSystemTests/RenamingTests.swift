import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct RenamingTests {
  typealias Rename = @Sendable (FilePath, FilePath) throws -> Void

  /// The kernel's call, and the fallbacks for file systems that do not support it.
  static let ways: [Rename] = [
    { try renameNoReplace(from: $0, to: $1) }, { _ = try renameByLink(from: $0, to: $1) },
    { try renameAfterLook(from: $0, to: $1) },
  ]

  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("old", "bytes")
  }

  @Test(arguments: [0, 1, 2])
  func `a free name is used`(way: Int) throws {
    try Self.ways[way](folder.path("old"), folder.path("new"))
    #expect(folder.names() == ["new"])
    #expect(try folder.text("new") == "bytes")
  }

  @Test(arguments: [0, 1, 2])
  func `an existing name is not replaced`(way: Int) throws {
    try folder.write("new", "theirs")
    let error = #expect(throws: FileError.self) {
      try Self.ways[way](folder.path("old"), folder.path("new"))
    }
    #expect(error?.code == .nameTaken)
    #expect(try folder.text("new") == "theirs")
    #expect(try folder.text("old") == "bytes")
  }

  @Test(arguments: [0, 1, 2])
  func `a dangling symbolic link also occupies a name`(way: Int) throws {
    try #require(symlink("nowhere", folder.path("new").string) == 0)
    #expect(throws: FileError.failed(.rename, folder.path("new"), .fileExists)) {
      try Self.ways[way](folder.path("old"), folder.path("new"))
    }
  }

  // Regression: the look and the rename of two processes could interleave.
  @Test(arguments: [0, 1, 2])
  func `one of many renames to one name succeeds`(way: Int) throws {
    for number in 0..<8 { try folder.write("file-\(number)", "\(number)") }
    let renamed = Monitor(0)
    let threads = try (0..<8).map { number in
      try WorkerThread.start("rename") {
        do {
          try Self.ways[way](folder.path("file-\(number)"), folder.path("new"))
          renamed.withLock { $0 += 1 }
        } catch {
          #expect((error as? FileError)?.code == .nameTaken)
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(renamed.withLock { $0 } == 1)
    #expect(folder.names().count == 9)
  }

  @Test func `a missing file cannot be renamed`() throws {
    #expect(throws: FileError.failed(.rename, folder.path("new"), .noSuchFileOrDirectory)) {
      try renameNoReplace(from: folder.path("away"), to: folder.path("new"))
    }
  }

  @Test func `replacing replaces an existing file`() throws {
    try folder.write("new", "theirs")
    try renameReplacing(from: folder.path("old"), to: folder.path("new"))
    #expect(folder.names() == ["new"])
    #expect(try folder.text("new") == "bytes")
  }

  @Test func `removing a missing file is reported`() throws {
    #expect(throws: FileError.failed(.remove, folder.path("away"), .noSuchFileOrDirectory)) {
      try removeFile(folder.path("away"))
    }
  }
}

// Regression: exFAT and rclone by FUSE have neither hard links nor an exclusive rename.
@Suite struct SpellingTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("old", "bytes")
  }

  @Test func `two files that differ in case are no spellings of one`() throws {
    try folder.write("Old", "theirs")
    #expect(try !isSpelling(folder.path("Old"), of: folder.path("old")))
    #expect(throws: FileError.self) {
      try renameNoReplace(from: folder.path("old"), to: folder.path("Old"))
    }
  }

  @Test func `a name that only one spelling of is listed belongs to one file`() throws {
    #expect(try isSpelling(folder.path("OLD"), of: folder.path("old")))
    try folder.write("dir/a", "bytes")
    #expect(try isSpelling(folder.path("Dir/a"), of: folder.path("dir/a")))
    #expect(try !isSpelling(folder.path("dir/b"), of: folder.path("dir/a")))
  }

  @Test func `a default ACL decides the mode of a new file`() throws {
    // Version 2; owner rw, a named user rwx, group r-x, mask rwx, others nothing.
    let entries: [(tag: UInt8, rights: UInt8)] = [
      (0x01, 6), (0x02, 7), (0x04, 5), (0x10, 7), (0x20, 0),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for entry in entries { list += [entry.tag, 0, entry.rights, 0, 1, 2, 3, 4] }
    #expect(FilePermissions.mode(ofDefaultACL: list)?.rawValue == 0o660)
    #expect(FilePermissions.mode(ofDefaultACL: Array(list.dropLast(8))) == nil)
    #expect(FilePermissions.mode(ofDefaultACL: [1, 0, 0, 0]) == nil)
  }
}
