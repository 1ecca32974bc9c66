import SystemPackage
import Testing
import VmxMarkup
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxMigrating

/// The findings in the form in which the tests check them.
struct FoundEpisodes {
  let all: [LegacyFinding]

  init(all: [LegacyFinding]) {
    self.all = all
  }

  init(_ reader: some LegacyReader, _ path: FilePath) throws {
    all = try reader.findings(in: LegacyFolder(path))
  }

  var episodes: [LegacyEpisode] {
    all.compactMap { if case .episode(let episode) = $0 { episode } else { nil } }
  }
  var left: [String: MigrationDoubt] {
    Dictionary(
      all.compactMap { finding in
        guard case .skipped(let path, _, let doubt) = finding else { return nil }
        return (path.lastComponent?.string ?? "", doubt)
      }, uniquingKeysWith: { first, _ in first })
  }
  var refused: [ErrorCode] {
    all.compactMap { if case .refused(_, let failure) = $0 { failure.code } else { nil } }
  }

  func episode(_ title: String) throws -> LegacyEpisode {
    try #require(episodes.first { $0.description.title == title })
  }
}

@Suite struct PropertyListReaderTests {
  private static func list(_ xml: String) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\">\(xml)</plist>"
  }

  private static func dictionary(_ fields: [(String, String)]) -> String {
    "<dict>\(fields.map { "<key>\($0)</key>\($1)" }.joined())</dict>"
  }

  private static func record(_ fields: (String, String)...) -> String {
    dictionary(
      fields.map { name, value in
        (name, value.hasPrefix("<") ? value : "<string>\(value)</string>")
      })
  }

  /// The maximum number of accepted records, and more.
  @Test(arguments: [(1000, 1000, 0), (1002, 1000, 1)])
  func `the most records of a list are taken, and the rest is refused`(
    count: Int, taken: Int, refused: Int
  ) throws {
    let scratch = try ScratchFolder()
    let records = (0..<count).map {
      "<dict><key>title</key><string>T\($0)</string><key>state</key><string>queued</string>"
        + "<key>url</key><string>https://example.org/\($0).mp4</string></dict>"
    }
    try scratch.write("d.plist", Self.list("<array>\(records.joined())</array>"))
    let found = try FoundEpisodes(PropertyListReader(most: 1000), scratch.path("d.plist"))
    #expect(found.episodes.count == taken)
    #expect(found.refused == Array(repeating: .recordUnreadable, count: refused))
  }

  @Test func `an address of two downloads identifies neither, also in different batches`() throws {
    let scratch = try ScratchFolder()
    let records = (0..<2500).map { number in
      Self.record(
        ("title", "T\(number)"), ("state", "queued"),
        ("url", "https://example.org/\(number == 2400 ? 3 : number).mp4"))
    }
    try scratch.write("d.plist", Self.list("<array>\(records.joined())</array>"))
    var groups: [[LegacyFinding]] = []
    try PropertyListReader().read(LegacyFolder(scratch.path("d.plist"))) { groups.append($0) }
    #expect(groups.filter { !$0.isEmpty }.map(\.count) == [1000, 1000, 500])
    let found = FoundEpisodes(all: groups.flatMap { $0 })
    let withheld = found.episodes.filter { !$0.withheld.isEmpty }.compactMap(\.description.title)
    #expect(withheld == ["T3", "T2400"])
  }

  @Test func `the files beside videos of two stores go to one of them`() throws {
    let scratch = try ScratchFolder()
    for name in ["a", "b"] {
      let record = Self.record(
        ("title", name), ("state", "finished"), ("fileName", "\(name).mp4"),
        ("url", "https://example.org/\(name).mp4"))
      try scratch.write("\(name).plist", Self.list("<array>\(record)</array>"))
      try scratch.write("\(name).mp4", "bytes")
      try scratch.write("\(name).de.srt", "text")
    }
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    #expect(found.all.count == 2)
    for episode in found.episodes {
      let title = episode.description.title ?? ""
      #expect(
        episode.files.map { $0.path.lastComponent?.string } == ["\(title).mp4", "\(title).de.srt"])
    }
  }

  @Test func `a list beyond 64 MiB is refused unread, and the other files are taken`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a.plist", Self.list("<array/>"))
    try OpenFile(scratch.path("a.plist"), .readWrite).truncate(to: 65 << 20)
    let record = Self.record(
      ("title", "T"), ("state", "queued"), ("url", "https://example.org/t.mp4"))
    try scratch.write("b.plist", Self.list("<array>\(record)</array>"))
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    #expect(found.refused == [.recordUnreadable])
    #expect(found.episodes.count == 1)
  }

  private static let resume = list(
    dictionary([
      ("NSURLSessionDownloadURL", "<string>https://example.org/two.mp4</string>"),
      ("NSURLSessionResumeBytesReceived", "<integer>10</integer>"),
      ("NSURLSessionResumeEntityTag", "<string>\"abc\"</string>"),
      ("NSURLSessionResumeServerDownloadDate", "<string>Tue, 03 Mar 2020 10:00:00 GMT</string>"),
      ("NSURLSessionResumeInfoLocalPath", "<string>/private/tmp/CFNetworkDownload_a.tmp</string>"),
    ]))

  private static func base64(_ text: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      let text = (0..<4).map { digits[bits >> (18 - 6 * $0) & 63] }
      return String(text.prefix(group.count + 1))
        + String(repeating: "=", count: 3 - group.count)
    }.joined()
  }

  private static func store() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    let records = [
      record(
        ("episodeId", "<integer>9</integer>"), ("title", "One"), ("showTitle", "Films"),
        ("season", "<integer>1</integer>"), ("number", "<integer>1</integer>"),
        ("state", "finished"), ("fileName", "/var/mobile/one.mp4"),
        ("remoteURL", "https://example.org/two.mp4"), ("sizeBytes", "<integer>5</integer>"),
        ("favourite", "<true/>"), ("licenseExpires", "<date>2030-01-01T00:00:00Z</date>"),
        ("drmKey", "<data>AQID</data>"),
        ("images", "<dict><key>thumb</key><string>t.jpg</string></dict>"),
        (
          "subtitles",
          "<array>\(record(("fileName", "a.vtt"), ("language", "cs"), ("forced", "<true/>")))</array>"
        )),
      record(
        ("episode_id", "10"), ("title", "Two"), ("series", "Films"),
        ("seasonNumber", "<integer>1</integer>"), ("episodeNumber", "<integer>2</integer>"),
        ("Status", "Paused"), ("downloadURL", "https://example.org/two.mp4"),
        ("size", "<integer>100</integer>"), ("resumeData", "<data>\(base64(resume))</data>")),
      record(
        ("title", "Three"), ("state", "complete"), ("fileName", "gone.mp4"),
        ("url", "https://example.org/three.mp4")),
      record(
        ("title", "Four"), ("state", "failed"), ("errorCode", "<integer>-1005</integer>"),
        ("url", "https://example.org/four.mp4")),
      record(("title", "Five"), ("state", "queued"), ("url", "https://example.org/five.m3u8")),
      "<string>no record</string>",
    ]
    try scratch.write(
      "Downloads.plist", list(dictionary([("downloads", "<array>\(records.joined())</array>")])))
    for name in ["files/one.mp4", "files/a.vtt", "files/t.jpg", "files/9.de.srt", "files/x.mp4"] {
      try scratch.write(name, "bytes")
    }
    try scratch.write("tmp/CFNetworkDownload_a.tmp", "0123456789abc")
    try scratch.write("tmp/CFNetworkDownload_b.tmp", "0123456789")
    return scratch
  }

  @Test func `a finished download with its file is held, with all that its record names`() throws {
    let scratch = try Self.store()
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    let one = try found.episode("One")
    #expect(one.status == .downloaded)
    #expect(one.description.showTitle == "Films" && one.description.number == 1)
    #expect(one.description.isKept == true)
    #expect(one.description.expires == Timestamp("2030-01-01T00:00:00Z"))
    #expect(
      one.files.map(\.part) == ["video", "subtitle:cs.forced", "image", "key", "subtitle:de"])
    #expect(one.files.first { $0.part == "key" }?.contents == [1, 2, 3])
    #expect(one.files.last?.doubts == [.nameOnly])
    #expect(one.description.video?.variants.first?.size?.bytes == 5)
  }

  @Test func `downloads without a file are lost, asked for or refused`() throws {
    let scratch = try Self.store()
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    let two = try found.episode("Two")
    #expect(two.status == .requested && two.description.number == 2)
    #expect(two.partial?.completedRanges.ranges == [ByteRange(0..<10)])
    #expect(two.partial?.entityTag == "\"abc\"" && two.partial?.total?.bytes == 100)
    #expect(two.partial?.lastModified == "Tue, 03 Mar 2020 10:00:00 GMT")
    let three = try found.episode("Three")
    #expect(three.status == .missing && three.doubts == [.fileGone])
    #expect(three.description.video?.variants.count == 1)
    let four = try found.episode("Four")
    #expect(four.status == .requested && four.evidence.contains("error -1005"))
    #expect(found.refused == [.sourceUnsupported, .recordUnreadable])
    #expect(found.left == ["CFNetworkDownload_b.tmp": .noSource])
    #expect(found.episodes.last?.kind == .tree)
    #expect(found.episodes.last?.doubts.contains(.unlisted) == true)
  }

  @Test func `an address that is none is a doubt`() throws {
    let scratch = try ScratchFolder()
    let subtitle = Self.record(("url", "no address"), ("language", "cs"))
    let records = [
      Self.record(
        ("title", "One"), ("url", "https://example.org/one.mp4"),
        ("subtitles", "<array>\(subtitle)</array>")),
      Self.record(("title", "Two"), ("state", "finished"), ("fileName", "two.mp4"), ("url", ":")),
    ]
    try scratch.write(
      "Downloads.plist",
      Self.list(Self.dictionary([("downloads", "<array>\(records.joined())</array>")])))
    try scratch.write("two.mp4", "bytes")
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    #expect(try found.episode("One").doubts == [.badURL])
    #expect(try found.episode("Two").doubts == [.badURL])
    #expect(found.refused.isEmpty)
  }

  @Test func `one address under two numbers is two episodes`() throws {
    let scratch = try Self.store()
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    let key = IdentityKey.source("https://example.org/two.mp4")
    #expect(try found.episode("One").withheld == [key])
    #expect(try found.episode("Two").withheld == [key])
    #expect(try found.episode("Three").withheld == [])
  }

  @Test func `a list that was named alone finds the files in the folders beside it`() throws {
    let scratch = try Self.store()
    let found = try FoundEpisodes(PropertyListReader(), scratch.path("Downloads.plist"))
    #expect(try found.episode("One").status == .downloaded)
    #expect(try found.episode("Two").partial != nil)
    #expect(found.left.isEmpty)
  }

  @Test func `a list and a folder that were named together are read together`() throws {
    let scratch = try Self.store()
    try scratch.write("more/one.mp4", "bytes")
    let folders = try ["Downloads.plist", "files", "more"].map {
      try LegacyFolder(scratch.path($0))
    }
    let found = FoundEpisodes(
      all: try PropertyListReader().findings(in: LegacyFolder(joining: folders)))
    #expect(try found.episode("One").files.first?.path == scratch.path("files/one.mp4"))
    #expect(try found.episode("Two").partial != nil)
    #expect(found.episodes.filter { $0.kind == .tree }.count == 2)
  }

  @Test func `a name in a record leads to no file outside of the folder`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("secret.mp4", "secret")
    try scratch.write(
      "app/list.plist",
      Self.list(
        "<array>\(Self.record(("title", "A"), ("state", "done"), ("fileName", "../secret.mp4"), ("url", "https://example.org/a.mp4")))</array>"
      ))
    for path in ["app", "app/list.plist"] {
      let found = try FoundEpisodes(PropertyListReader(), scratch.path(path))
      #expect(found.episodes.map(\.status) == [.missing])
    }
  }

  @Test func `resume data alone is one request, however often it is there`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("a.plist", Self.resume)
    try scratch.write("b.plist", Self.resume)
    try scratch.write("CFNetworkDownload_a.tmp", "0123")
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    #expect(found.episodes.map(\.status) == [.requested])
    #expect(found.episodes.first?.partial?.completedRanges.count == 4)
    #expect(found.left == ["b.plist": .repeated])
  }

  @Test func `a broken list is refused, and the others are read`() throws {
    let scratch = try Self.store()
    try scratch.write("broken.plist", "<plist><dict>")
    try scratch.write("cut.plist", "bplist00")
    let found = try FoundEpisodes(PropertyListReader(), scratch.path)
    #expect(found.refused.filter { $0 == .recordUnreadable }.count == 3)
    #expect(found.episodes.count == 5)
    #expect(throws: Failure.self) {
      try PropertyListReader().findings(in: LegacyFolder(scratch.path("files")))
    }
  }

  @Test func `a folder with a list of downloads is told by it`() throws {
    let scratch = try Self.store()
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path)) == .propertyList)
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path("files"))) == .tree)
  }
}
