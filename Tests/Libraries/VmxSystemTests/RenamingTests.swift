import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxSystem

@Suite struct RenamingTests {
  typealias Rename = @Sendable (FilePath, FilePath) throws -> Void

  /// The kernel's call, and the fallback for file systems that do not support it.
  static let ways: [Rename] = [
    { try renameNoReplace(from: $0, to: $1) }, { try linkThenRemove(from: $0, to: $1) },
  ]

  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try folder.write("old", "bytes")
  }

  @Test(arguments: [0, 1])
  func `a free name is used`(way: Int) throws {
    try Self.ways[way](folder.path("old"), folder.path("new"))
    #expect(folder.names() == ["new"])
    #expect(try folder.text("new") == "bytes")
  }

  @Test(arguments: [0, 1])
  func `an existing name is not replaced`(way: Int) throws {
    try folder.write("new", "theirs")
    let error = #expect(throws: FileError.self) {
      try Self.ways[way](folder.path("old"), folder.path("new"))
    }
    #expect(error?.code == .nameTaken)
    #expect(try folder.text("new") == "theirs")
    #expect(try folder.text("old") == "bytes")
  }

  @Test(arguments: [0, 1])
  func `a dangling symbolic link also occupies a name`(way: Int) throws {
    try #require(symlink("nowhere", folder.path("new").string) == 0)
    #expect(throws: FileError.failed(.rename, folder.path("new"), .fileExists)) {
      try Self.ways[way](folder.path("old"), folder.path("new"))
    }
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
