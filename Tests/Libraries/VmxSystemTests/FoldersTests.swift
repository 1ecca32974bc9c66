import Glibc
import SystemPackage
import Testing
import VmxTestSupport

@testable import VmxSystem

@Suite struct FoldersTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `missing folders are created and returned, outermost first`() throws {
    let made = try makeFolders(folder.path("a/b/c"))
    #expect(made == [folder.path("a"), folder.path("a/b"), folder.path("a/b/c")])
    #expect(isFolder(folder.path("a/b/c")))
  }

  @Test func `existing folders are not a failure`() throws {
    try folder.makeFolder("a/b")
    #expect(try makeFolders(folder.path("a/b")).isEmpty)
    #expect(try makeFolders(folder.path("a/b/c")) == [folder.path("a/b/c")])
  }

  @Test func `a link to a folder is accepted as a folder`() throws {
    try folder.makeFolder("a")
    try #require(symlink("a", folder.path("link").string) == 0)
    #expect(try makeFolders(folder.path("link/b")) == [folder.path("link/b")])
  }

  @Test func `new folders are accessible to their owner only`() throws {
    try makeFolders(folder.path("a/b"))
    for name in ["a", "a/b"] {
      var facts = stat()
      #expect(stat(folder.path(name).string, &facts) == 0)
      #expect(facts.st_mode & 0o7777 == 0o700)
    }
  }

  @Test(arguments: ["file", "file/below"])
  func `a file in the way is reported`(name: String) throws {
    try folder.write("file", "bytes")
    #expect(throws: FileError.failed(.makeFolder, folder.path(name), .notDirectory)) {
      try makeFolders(folder.path(name))
    }
  }

  @Test func `a folder is flushed, a file is refused`() throws {
    try syncFolder(folder.path)
    try folder.write("file", "bytes")
    #expect(throws: FileError.failed(.open, folder.path("file"), .notDirectory)) {
      try syncFolder(folder.path("file"))
    }
  }

  @Test func `a file is flushed`() throws {
    let file = try OpenFile(folder.path("a"), .readWrite, options: .create)
    try dataSync(file.descriptor, of: file.path)
    try fullSync(file.descriptor, of: file.path)
  }

  @Test func `a failed flush of a descriptor is reported`() throws {
    #expect(throws: FileError.failed(.sync, "closed", .badFileDescriptor)) {
      try dataSync(FileDescriptor(rawValue: .max), of: "closed")
    }
  }
}
