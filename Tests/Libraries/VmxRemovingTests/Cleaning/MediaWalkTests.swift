@testable import VmxRemoving
import Glibc
import SystemPackage
import Testing
import VmxLibrary
import VmxModel
import VmxSystem
import VmxTestSupport

@Suite struct MediaWalkTests {
  private let scratch: ScratchFolder
  private let root: MediaRoot

  init() throws {
    scratch = try ScratchFolder()
    root = MediaRoot(uuid: "r", folder: scratch.path)
  }

  private func walk(knowing paths: [String] = [], companions: [String] = []) throws -> MediaWalk {
    func hashes(_ paths: [String]) -> KnownHashes {
      var hashes = KnownHashes()
      for path in paths { hashes.add(StableHash.of(path)) }
      hashes.sort()
      return hashes
    }
    var walk = MediaWalk(hashes(paths), nfoHashes: hashes(companions))
    try walk.walk(root)
    return walk
  }

  private func makeFolder(_ name: String) {
    _ = scratch.path(name).withPlatformString { mkdir($0, 0o700) }
  }

  @Test func `a file that a record names is met, and no other`() throws {
    try scratch.write("Show/a.mp4", "a")
    try scratch.write("Show/b.mp4", "b")
    let walk = try walk(knowing: ["Show/a.mp4"])
    #expect(walk.known.areAllFound)
    #expect(walk.unrecorded.map(\.path.displayText) == ["Show/b.mp4"])
  }

  @Test func `a picture in the folder of a show is not unknown, and no other picture`() throws {
    for name in ["Show/poster.jpg", "Show/Folder.PNG", "Show/fanart.jpg", "Other/cover.jpg"] {
      try scratch.write(name, "a")
    }
    let paths = try walk(companions: ["Show/tvshow.nfo"]).unrecorded.map(\.path.displayText)
    #expect(paths.sorted() == ["Other/cover.jpg", "Show/fanart.jpg"])
  }

  @Test func `the files that vmx writes beside a video are not unknown`() throws {
    try scratch.write("Show/a.nfo", "a")
    #expect(try walk(companions: ["Show/a.nfo"]).unrecorded.isEmpty)
  }

  @Test func `folders are empty from the inside out`() throws {
    for name in ["a", "a/b", "a/b/c", "d"] { makeFolder(name) }
    try scratch.write("d/file", "")
    #expect(try walk().empty.map(\.displayText) == ["a/b/c", "a/b", "a"])
  }

  @Test func `what is hidden is not looked at, and keeps its folder`() throws {
    makeFolder("a")
    try scratch.write("a/.nomedia", "")
    makeFolder(".b")
    let walk = try walk()
    #expect(walk.empty.isEmpty)
    #expect(walk.unrecorded.isEmpty)
  }

  @Test func `links are not followed`() throws {
    try scratch.write("real/file", "")
    makeFolder("a")
    _ = scratch.path("a/link").withPlatformString { symlink("../real", $0) }
    #expect(try walk().unrecorded.map(\.path.displayText) == ["real/file"])
  }

  @Test func `names are bytes`() throws {
    let name = [UInt8(ascii: "x"), 0xFF, UInt8(ascii: "\n")] + [UInt8](repeating: 0x79, count: 252)
    let path = scratch.path.appending(FilePath(bytes: name).components)
    let file = try FileDescriptor.open(
      path, .writeOnly, options: .create, permissions: .ownerReadWrite)
    try file.close()
    #expect(try walk().unrecorded.map(\.path.bytes) == [name])
  }

  @Test func `a root that cannot be listed has shown nothing`() throws {
    var walk = MediaWalk(KnownHashes(), nfoHashes: KnownHashes())
    try walk.walk(MediaRoot(uuid: "r", folder: scratch.path("away")))
    #expect(walk.unread.map(\.path.displayText) == [""])
  }

  @Test func `drafts are told from files of others`() throws {
    try scratch.write("Show/.vmx-0123456789abcdef.tmp", "")
    let walk = try walk()
    #expect(walk.temporaryFiles.count == 1)
    #expect(walk.unrecorded.isEmpty)
  }
}
