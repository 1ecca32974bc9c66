import SystemPackage
import Testing
@testable import VmxSystem
import VmxTestSupport

@Suite struct FileSystemSyncTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `files of a folder are flushed together only if they are many`() {
    let path = folder.path("a").removingLastComponent()
    let few = [FilePath](repeating: path, count: FileSystemSync.minFiles - 1)
    #expect(FileSystemSync.flush(few).isEmpty)
    // Files are flushed together only if the file system allows it and few bytes are unwritten.
    #expect(FileSystemSync.flush(few + [path]).isSubset(of: [path]))
  }

  @Test func `a missing folder is left to the caller`() {
    let missing = folder.path("missing")
    #expect(!FileSystemSync.isCheap(below: missing))
    #expect(FileSystemSync.flush([FilePath](repeating: missing, count: 9)).isEmpty)
  }

  @Test(arguments: [
    ("MemTotal: 12 kB\nDirty:             1348 kB\nWriteback: 0 kB\n", 1348 as Int64?),
    ("Dirty: none\n", nil), ("", nil), ("Dirty:\n", nil),
  ])
  func `the unwritten bytes come from the kernel's table`(_ table: String, _ kib: Int64?) {
    #expect(FileSystemSync.unwritten(in: table) == kib)
  }
}
