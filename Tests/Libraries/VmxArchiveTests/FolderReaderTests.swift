import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct FolderReaderTests {
  @Test func `a folder is read in name order, files before folders`() throws {
    let scratch = try ScratchFolder()
    for name in ["b/z", "b/a", "a", ".hidden", "b/c/d"] { try scratch.write(name, name) }
    let reader = try FolderReader(scratch.path)
    var paths: [String] = []
    while let entry = try reader.next() {
      paths.append(entry.path.escaped + (entry.kind == .folder ? "/" : ""))
      if entry.kind == .file {
        #expect(try reader.readAll(of: entry) == Array(entry.path.bytes))
      }
    }
    #expect(paths == [".hidden", "a", "b/", "b/a", "b/z", "b/c/", "b/c/d"])
  }

  @Test func `links and pipes are refused`() throws {
    let scratch = try ScratchFolder()
    try scratch.makeFolder("l")
    try scratch.makeFolder("p")
    symlink("/etc", scratch.path("l/x").string)
    mkfifo(scratch.path("p/x").string, 0o600)
    for (name, fault) in [("l", EntryFault.link), ("p", .special)] {
      let reader = try FolderReader(scratch.path(name))
      #expect(throws: ArchiveError.refused(entry: PathBytes("x"), fault)) { try reader.next() }
    }
  }

  @Test func `a link to the folder itself is followed`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("b/x", "y")
    symlink("b", scratch.path("link").string)
    #expect(try Sample.entries(of: try FolderReader(scratch.path("link"))) == ["x": "y"])
  }

  @Test func `a missing folder is reported as a missing input`() throws {
    let scratch = try ScratchFolder()
    let error = #expect(throws: ArchiveError.self) { try FolderReader(scratch.path("none")) }
    #expect(error?.code == .inputMissing)
  }

  @Test func `names with control characters are refused, non-UTF-8 names are accepted`() throws {
    let scratch = try ScratchFolder()
    try scratch.makeFolder("b")
    let folder = scratch.path("b")
    let raw = try FileDescriptor.open(
      folder.appending("r").removingLastComponent(), .readOnly, options: .directory)
    defer { try? raw.close() }
    let name: [CChar] = [CChar(bitPattern: 0xE9), 0]
    close(openat(raw.rawValue, name, O_CREAT | O_WRONLY, 0o600))
    #expect(try Sample.entries(of: try FolderReader(folder)) == ["\\xe9": ""])
    try scratch.write("b/\u{1B}", "")
    #expect(throws: ArchiveError.refused(entry: PathBytes("\u{1B}"), .control)) {
      try Sample.entries(of: try FolderReader(folder))
    }
  }
}
