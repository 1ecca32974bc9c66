import Glibc
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

/// Partial files of aria2, wget, curl and browsers.
@Suite struct PartialReaderTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// An MP4 of 240 bytes: its file type, an empty movie, and 200 bytes of media.
  private static let film: [UInt8] =
    [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isommp41".utf8)
    + [0, 0, 0, 8] + Array("moov".utf8) + [0, 0, 0, 208] + Array("mdat".utf8)
    + (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }

  private static let cut = Array(film.prefix(150))

  private func table(_ lines: String...) -> LegacySources {
    LegacySources(table: Array(lines.joined(separator: "\n").utf8), in: scratch.path) { line, _ in
      Issue.record("line \(line)")
    }
  }

  private func read(_ reader: some LegacyReader, _ name: String = "") throws -> Read {
    let path = name.isEmpty ? scratch.path : scratch.path(name)
    return Read(try reader.findings(in: LegacyFolder(path)), below: scratch.path)
  }

  private func sources(_ episode: LegacyEpisode?) -> [String] {
    (episode?.description.video?.variants ?? []).flatMap(\.sources).map(\.text)
  }

  // MARK: files that the user names

  @Test(arguments: ["partial", "filepart", "tmp", "!qB", "aria2__temp", "part"])
  func `a file that is named with its URL is unfinished, whatever its ending`(
    ending: String
  ) throws {
    let name = "Show - S01E02 - A.mp4.\(ending)"
    try scratch.write(name, Self.cut)
    try scratch.write("Show - S01E03 - B.mp4", Self.film)
    var tools = LegacyTree.tools
    tools.sources = table("\(name)\thttps://example.org/a.mp4")
    let inputs = LegacyInput.inputs([scratch.path.string], of: nil) { FilePath($0) }
    let read = Read(try inputs.flatMap { try $0.findings(tools) }, below: scratch.path)
    let episode = try #require(read.episodes.first { $0.partial != nil })
    #expect(episode.description.number == 2 && episode.status == .requested)
    #expect(sources(episode) == ["https://example.org/a.mp4"])
    #expect(read.episodes.count == 2 && tools.sources.unmatched.isEmpty)
    #expect(read.counts[name] == 1)
  }

  @Test func `a single file is named by the only URL`() throws {
    try scratch.write("Show - S01E02 - A.mp4.filepart", Self.cut)
    var tools = LegacyTree.tools
    tools.sources = LegacySources(only: try WebURL("https://example.org/a.mp4"))
    let path = scratch.path("Show - S01E02 - A.mp4.filepart").string
    let inputs = LegacyInput.inputs([path], of: nil) { FilePath($0) }
    let read = Read(try inputs.flatMap { try $0.findings(tools) }, below: scratch.path)
    #expect(read.episode?.partial?.completedRanges.count == Int64(Self.cut.count))
  }

  // MARK: aria2

  private func aria2(_ bits: UInt8, hash: [UInt8] = []) throws {
    try scratch.write("Show - S01E02 - A.mp4", Self.film)
    try scratch.write(
      "Show - S01E02 - A.mp4.aria2",
      Control.bytes(hash: hash, piece: 100, total: 240, bits: [bits]))
  }

  @Test func `a download of aria2 has the pieces of its control file`() throws {
    try aria2(0b1010_0000)
    let read = try read(
      Aria2Reader(table("Show - S01E02 - A.mp4\thttps://example.org/a.mp4")))
    let episode = try #require(read.episode)
    #expect(episode.status == .requested && episode.doubts == [.nameOnly])
    #expect(episode.description.season == 1 && episode.description.number == 2)
    #expect(episode.partial?.completedRanges.ranges == [ByteRange(0..<100), ByteRange(200..<240)])
    #expect(episode.partial?.total?.bytes == 240)
    #expect(sources(episode) == ["https://example.org/a.mp4"])
    // A size for the source would make a fetch refuse a newer version.
    #expect(episode.description.video?.variants.first?.size == nil)
    #expect(episode.files.isEmpty && read.left.isEmpty)
  }

  @Test(arguments: ["Show - S01E02 - A.mp4", "Show - S01E02 - A.mp4.aria2"])
  func `either file of a download names it`(name: String) throws {
    try aria2(0b1000_0000)
    let sources = LegacySources(only: try WebURL("https://example.org/a.mp4"))
    #expect(try read(Aria2Reader(sources), name).episode?.partial?.completedRanges.count == 100)
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path(name))) == .aria2)
  }

  @Test func `a download of aria2 without an address stays`() throws {
    try aria2(0b1000_0000)
    let read = try read(Aria2Reader())
    #expect(read.episodes.isEmpty && read.left == ["Show - S01E02 - A.mp4": .noSource])
  }

  @Test func `a download of which all pieces are complete is whole`() throws {
    try aria2(0b1110_0000)
    let episode = try #require(try read(Aria2Reader()).episode)
    #expect(episode.status == .downloaded && episode.partial == nil && episode.files.count == 1)
  }

  // Regression: the video was taken as complete, and was removed by a move.
  @Test(arguments: [LegacyKind.tree, .ytDlp, .getIplayer, .curl, .browser])
  func `no other reader takes an incomplete download of aria2 as a complete file`(
    kind: LegacyKind
  ) throws {
    try aria2(0b1010_0000)
    try scratch.write("Show - S01E03 - B.mp4", Self.film)
    for path in [scratch.path, scratch.path("Show - S01E02 - A.mp4")] {
      let inputs = LegacyInput.inputs([path.string], of: kind) { FilePath($0) }
      let read = Read(
        try inputs.flatMap { try $0.findings(LegacyTree.tools) }, below: scratch.path)
      #expect(read.left == ["Show - S01E02 - A.mp4": .noSource])
      #expect(read.episodes.map(\.description.number) == (path == scratch.path ? [3] : []))
    }
  }

  @Test func `another reader takes a complete download of aria2`() throws {
    try aria2(0b1110_0000)
    let inputs = LegacyInput.inputs([scratch.path.string], of: .tree) { FilePath($0) }
    let findings = try inputs.flatMap { try $0.findings(LegacyTree.tools) }
    #expect(Read(findings, below: scratch.path).episode?.files.count == 1)
  }

  @Test func `a torrent stays, as does a control file that is broken or alone`() throws {
    try aria2(0b1000_0000, hash: [1, 2, 3])
    #expect(
      try read(Aria2Reader()).left == [
        "Show - S01E02 - A.mp4": .noPart, "Show - S01E02 - A.mp4.aria2": .noPart,
      ])
    try scratch.write("Show - S01E02 - A.mp4.aria2", "broken")
    try scratch.write("gone.mp4.aria2", Control.bytes(piece: 9, total: 9, bits: [0]))
    let found = try read(Aria2Reader())
    #expect(found.refused == ["Show - S01E02 - A.mp4.aria2": .recordUnreadable])
    #expect(found.left == ["Show - S01E02 - A.mp4": .unlisted, "gone.mp4.aria2": .fileGone])
  }

  @Test func `a session file has the addresses, and downloads that wait`() throws {
    try aria2(0b1000_0000)
    try scratch.write(
      "aria2.session",
      """
      https://a.example/1\thttps://b.example/1
       out=Show - S01E02 - A.mp4
      https://a.example/Show.S01E03.mkv
      https://a.example/tool.iso
      """)
    let read = try read(Aria2Reader())
    #expect(read.episodes.map(\.status) == [.requested, .requested])
    #expect(sources(read.episodes[0]) == ["https://a.example/1", "https://b.example/1"])
    #expect(read.episodes[0].evidence.contains("aria2.session:1"))
    #expect(read.episodes[1].description.number == 3 && read.episodes[1].partial == nil)
    #expect(read.left == ["aria2.session:4": .noPart])
  }

  // MARK: wget and curl

  @Test(arguments: [LegacyKind.wget, .curl])
  func `only a container that is cut is unfinished`(kind: LegacyKind) throws {
    try scratch.write("Show/Show - S01E01 - A.mp4", Self.film)
    try scratch.write("Show/Show - S01E02 - B.mp4", Self.cut)
    try scratch.write("Show/Show - S01E03 - C.mp4", Self.cut)
    try scratch.write("Show/notes.doc", "x")
    let read = try read(
      DownloadedFileReader(kind, table("Show/Show - S01E02 - B.mp4\thttps://example.org/b")))
    #expect(read.episodes.map(\.status) == [.downloaded, .requested])
    #expect(read.episodes[1].partial?.completedRanges.ranges == [ByteRange(0..<150)])
    #expect(read.episodes[1].partial?.total == nil)
    #expect(read.left == ["Show/Show - S01E03 - C.mp4": .noSource, "Show/notes.doc": .noPart])
    #expect(read.counts.values.allSatisfy { $0 == 1 })
  }

  @Test func `a file that ends with zeros is unfinished`() throws {
    let size = 20_000
    var film = Self.film.prefix(24) + [0, 0, 0x4E, 0x20] + Array("mdat".utf8)
    film += [UInt8](repeating: 7, count: 10_000) + [UInt8](repeating: 0, count: size - 10_008)
    try scratch.write("a.mp4", Array(film))
    #expect(try read(DownloadedFileReader(.wget)).left == ["a.mp4": .noSource])
  }

  @Test func `the entity tag of curl counts where it is the only one, and strong`() throws {
    try scratch.write("a.mp4", Self.cut)
    try scratch.write("etag.txt", "\"17735b\"\n")
    let reader = DownloadedFileReader(.curl, table("a.mp4\thttps://example.org/a"))
    let found = try read(reader)
    #expect(found.episode?.partial?.entityTag == "\"17735b\"" && found.left.isEmpty)
    try scratch.write("etag.txt", "W/\"17735b\"\n")
    #expect(try read(reader).episode?.partial?.entityTag == nil)
    try scratch.write("etag.txt", "\"17735b\"\n")
    try scratch.write("other.txt", "\"2\"\n")
    #expect(try read(reader).episode?.partial?.entityTag == nil)
  }

  @Test func `the address may be an attribute of the file`() throws {
    try scratch.write("a.mp4", Self.cut)
    let url = "https://example.org/attribute.mp4"
    let isSet = try setAttribute("user.xdg.origin.url", url, of: scratch.path("a.mp4"))
    // Some file systems do not support extended attributes.
    guard isSet else { return }
    let episode = try read(DownloadedFileReader(.wget)).episode
    #expect(sources(episode) == [url])
    #expect(episode?.evidence == ["a.mp4", "user.xdg.origin.url"])
  }

  // MARK: Browsers

  @Test func `unfinished downloads of browsers have the names of the whole`() throws {
    try scratch.write("Show - S01E01.mp4.crdownload", Self.cut)
    try scratch.write("Unconfirmed 77.crdownload", Self.cut)
    try scratch.write("Show - S01E02.mp4", "")
    try scratch.write("Show - S01E02.mp4.part", Self.cut)
    try scratch.write("Show - S01E03.mp4", "")
    try scratch.write("Show - S01E03.a1B2c3D4.mp4.part", Self.cut)
    try scratch.write("Show - S01E04.mp4.opdownload", Self.cut)
    try scratch.write("tool.exe.crdownload", "x")
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path)) == .browser)
    let read = try read(
      BrowserReader(
        table(
          "Show - S01E01.mp4.crdownload\thttps://example.org/1",
          "Unconfirmed 77.crdownload\thttps://example.org/Show.S01E07.mp4",
          "Show - S01E02.mp4.part\thttps://example.org/2",
          "Show - S01E03.a1B2c3D4.mp4.part\thttps://example.org/3")))
    #expect(read.episodes.compactMap(\.description.number).sorted() == [1, 2, 3, 7])
    #expect(read.episodes.allSatisfy { $0.partial?.completedRanges.count == 150 })
    #expect(read.episodes.allSatisfy { $0.status == .requested && $0.doubts == [.nameOnly] })
    #expect(
      read.left == [
        "Show - S01E02.mp4": .repeated, "Show - S01E03.mp4": .repeated,
        "Show - S01E04.mp4.opdownload": .noSource, "tool.exe.crdownload": .noSource,
      ])
    #expect(read.counts.values.allSatisfy { $0 == 1 })
  }

  @Test func `a download beside the whole file stays`() throws {
    try scratch.write("Show - S01E01.mp4", Self.film)
    try scratch.write("Show - S01E01.mp4.crdownload", Self.cut)
    let read = try read(
      BrowserReader(table("Show - S01E01.mp4.crdownload\thttps://example.org/1")))
    #expect(read.episode?.status == .downloaded)
    #expect(read.left == ["Show - S01E01.mp4.crdownload": .repeated])
  }

  @Test func `a folder of Safari has the address and the count of bytes`() throws {
    let fields = """
      <key>DownloadEntryURL</key><string>https://example.org/x</string>
      <key>DownloadEntryProgressBytesSoFar</key><integer>120</integer>
      <key>DownloadEntryProgressTotalToLoad</key><integer>240</integer>
      """
    try scratch.write("My Show/S01E05.mp4.download/S01E05.mp4", Self.cut)
    try scratch.write(
      "My Show/S01E05.mp4.download/Info.plist",
      "<plist version=\"1.0\"><dict>\(fields)</dict></plist>")
    let read = try read(BrowserReader())
    let episode = try #require(read.episode)
    #expect(episode.description.showTitle == "My Show" && episode.description.number == 5)
    #expect(episode.partial?.completedRanges.ranges == [ByteRange(0..<120)])
    #expect(episode.partial?.total?.bytes == 240)
    #expect(sources(episode) == ["https://example.org/x"] && read.left.isEmpty)
    try scratch.write("My Show/other.mp4.download/other.mp4", Self.cut)
    try scratch.write(
      "My Show/other.mp4.download/Info.plist", "<plist version=\"1.0\"><dict></dict></plist>")
    let only = LegacySources(only: try WebURL("https://example.org/y"))
    let other = try self.read(BrowserReader(only), "My Show/other.mp4.download").episode
    #expect(other?.description.showTitle == "My Show" && other?.description.title == "other")
    #expect(other?.partial?.completedRanges.ranges == [ByteRange(0..<150)])
  }

  // MARK: Addresses

  @Test func `a table of addresses reports its bad lines`() throws {
    let text =
      "a.mp4\thttps://example.org/a\r\n\nno tab\nb.mp4\tnonsense\n\thttps://c.example/\n"
      + "a.mp4\thttps://example.org/other\n/x/y.mp4\thttps://example.org/y"
    var bad: [Int] = []
    let sources = LegacySources(table: Array(text.utf8), in: scratch.path) { line, _ in
      bad.append(line)
    }
    #expect(bad == [3, 4, 5, 6])
    #expect(sources.url(of: scratch.path("a.mp4"))?.text == "https://example.org/a")
    #expect(sources.url(of: "/x/y.mp4")?.text == "https://example.org/y")
    #expect(sources.url(of: scratch.path("b.mp4")) == nil)
  }

  @Test func `a single address is for a single partial file`() throws {
    try scratch.write("a.mp4", Self.cut)
    var tools = Databases.tools()
    tools.sources = LegacySources(only: try WebURL("https://example.org/a"))
    func count(_ kind: LegacyKind) throws -> Int {
      let inputs = LegacyInput.inputs([scratch.path.string], of: kind) { FilePath($0) }
      return try inputs.flatMap { try $0.findings(tools) }.count
    }
    #expect(try count(.wget) == 1)
    #expect(throws: Failure.self) { try count(.tree) }
    try scratch.write("b.mp4", Self.cut)
    #expect(throws: Failure.self) { try count(.wget) }
  }
}

/// Sets an extended attribute; returns false if the file system does not support them.
private func setAttribute(_ name: String, _ value: String, of path: FilePath) throws -> Bool {
  typealias Call =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, Int, Int32
    ) -> Int32
  // The Swift module of Glibc does not export this call.
  let symbol = try #require(dlsym(nil, "setxattr"))
  return unsafeBitCast(symbol, to: Call.self)(path.string, name, value, value.utf8.count, 0) == 0
}
