import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxArchive

@Suite struct HostileArchiveTests {
  @Test(arguments: [
    ("/etc/passwd", EntryFault.absolute), ("../x", .parent), ("b/../../x", .parent),
    ("b/..", .parent), ("b\\..\\x", .backslash), ("C:/x", .drive), ("c:x", .drive),
    ("b/\u{1B}[2J", .control), ("b/a\nb", .control), ("b/\u{7F}", .control),
    ("b/\u{85}", .control),
    (String(repeating: "n", count: 256), .tooLong),
    (
      Array(repeating: String(repeating: "n", count: 250), count: 17).joined(separator: "/"),
      .tooLong
    ),
    (Array(repeating: "d", count: 65).joined(separator: "/"), .tooDeep),
  ])
  func `a path that leaves the archive is refused`(_ name: String, _ fault: EntryFault) {
    var tar = HandmadeTar()
    tar.add("b/good")
    tar.add(name)
    let shown = PathBytes(Array(name.utf8))
    #expect(throws: ArchiveError.refused(entry: shown, fault)) { try tar.entries() }
  }

  @Test(arguments: [
    ("2", EntryFault.link), ("3", .special), ("4", .special), ("6", .special),
  ])
  func `only files, hard links and folders are accepted`(_ type: String, _ fault: EntryFault) {
    var tar = HandmadeTar()
    tar.add("b/x", type: Character(type), link: "b/y")
    #expect(throws: ArchiveError.refused(entry: PathBytes("b/x"), fault)) { try tar.entries() }
  }

  @Test func `a hard link has no bytes of its own`() throws {
    var tar = HandmadeTar()
    tar.add("b/y")
    tar.add("b/x", type: "1", link: "b/y")
    #expect(try tar.entries()["b/x"] == "")
  }

  @Test(arguments: [
    ["b/x", "b/x"], ["b/x", "b/X"], ["b/caf\u{e9}", "b/cafe\u{301}"], ["b/STRASSE", "b/straße"],
    ["b/x", "b/x/y"], ["b/x/y", "b/x"], ["b/x", "B/y"], ["b/./x", "b//x"],
  ])
  func `names that are equal on some file systems are refused`(_ names: [String]) {
    var tar = HandmadeTar()
    for name in names { tar.add(name) }
    #expect(throws: ArchiveError.self) { try tar.entries() }
    #expect(throws: ArchiveError.refused(entry: PathBytes(entry: Array(names[1].utf8)), .duplicate))
    {
      try tar.entries()
    }
  }

  @Test func `a folder may be listed twice, and after its files`() throws {
    var tar = HandmadeTar()
    tar.add("./", type: "5")
    tar.add("./b/x", content: [0x78])
    tar.add("./b/", type: "5")
    tar.add("./b/", type: "5")
    #expect(try tar.entries() == ["b/x": "x"])
  }

  @Test func `owners and the setuid bit are ignored`() throws {
    var tar = HandmadeTar()
    tar.add("b/x", mode: 0o6777, content: [0x78])
    #expect(try tar.entries() == ["b/x": "x"])
  }

  @Test func `a name that is not UTF-8 keeps its bytes`() throws {
    let entry = PathBytes([0x62, 0x2F, 0xFF, 0xFE])
    #expect(entry.escaped == "b/\\xff\\xfe")
    var names = EntryNames()
    try names.insert(entry, isFolder: false)
    #expect(throws: ArchiveError.refused(entry: entry, .duplicate)) {
      try names.insert(entry, isFolder: false)
    }
  }

  @Test func `an archive with too many entries is refused`() {
    var tar = HandmadeTar()
    for number in 0..<11 { tar.add("b/\(number)") }
    var limits = BundleLimits()
    limits.entries = 10
    #expect(throws: ArchiveError.tooLarge(.entries(10))) { try tar.entries(limits: limits) }
  }

  @Test func `an archive larger than the limit is refused before it is read`() {
    var tar = HandmadeTar()
    tar.add("b/x", content: [0x78])
    tar.add("b/y", size: 1 << 32)
    var limits = BundleLimits()
    limits.bytes = 1 << 20
    #expect(throws: ArchiveError.tooLarge(.bytes(1 << 20))) { try tar.entries(limits: limits) }
  }

  @Test(arguments: [true, false])
  func `a decompression bomb is aborted within 64 MiB, read or skipped`(_ isRead: Bool) throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("x")
    let descriptor = try FileDescriptor.open(
      path, .readWrite, options: .create, permissions: .ownerReadWrite)
    defer { try? descriptor.close() }
    let writer = try ArchiveWriter(.tarZstd, to: descriptor)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    try writer.begin("b/bomb", size: 200 << 20)
    for _ in 0..<200 { try zeros.withUnsafeBytes { try writer.write($0) } }
    try writer.end()
    try writer.finish()
    try descriptor.seek(offset: 0, from: .start)
    let reader = try ArchiveReader(descriptor)
    _ = try reader.next()
    var room = zeros
    var count = 0
    #expect(throws: ArchiveError.tooLarge(.ratio(PathBytes("b/bomb")))) {
      if !isRead { _ = try reader.next() }
      while case let more = try room.withUnsafeMutableBytes({ try reader.read(into: $0) }), more > 0
      {
        count += more
      }
    }
    #expect(count <= 64 << 20)
    #expect(try reader.next() == nil)
  }

  // Only the bytes of files counted, so a million empty files unpacked from a few megabytes.
  @Test func `entries without bytes count as unpacked bytes`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.path("x")
    let descriptor = try FileDescriptor.open(
      path, .readWrite, options: .create, permissions: .ownerReadWrite)
    defer { try? descriptor.close() }
    let writer = try ArchiveWriter(.tarZstd, to: descriptor)
    let most = Int(BundleLimits.free / BundleLimits.ofEntry)
    for number in 0..<most + 10_000 {
      try writer.begin("b/data/\(number)", size: 0)
      try writer.end()
    }
    try writer.finish()
    try descriptor.seek(offset: 0, from: .start)
    let reader = try ArchiveReader(descriptor)
    let excess = ArchiveError.tooLarge(.ratio(PathBytes("b/data/\(most)")))
    #expect(throws: excess) { while try reader.next() != nil {} }
  }

  @Test func `a small file is read completely up to its limit`() throws {
    var tar = HandmadeTar()
    tar.add("b/x", content: Array("hello".utf8))
    let scratch = try ScratchFolder()
    try scratch.write("x", tar.bytes)
    let descriptor = try FileDescriptor.open(scratch.path("x"), .readOnly)
    defer { try? descriptor.close() }
    let reader = try ArchiveReader(descriptor)
    let entry = try #require(try reader.next())
    #expect(throws: ArchiveError.tooLarge(.metadata(PathBytes("b/x"), limit: 4))) {
      try reader.readPieces(of: entry, limit: 4) { _ in }
    }
    var bytes: [UInt8] = []
    try reader.readPieces(of: entry, limit: 5) { bytes += $0 }
    #expect(bytes == Array("hello".utf8))
  }
}
