@testable import VmxMigrating
import SystemPackage
import Testing
import VmxModel
import VmxTestSupport

@Suite struct TreeReaderTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func findings() throws -> [LegacyFinding] {
    try TreeReader().findings(in: LegacyFolder(scratch.path))
  }

  private func episodes() throws -> [LegacyEpisode] {
    try findings().compactMap { finding in
      if case .episode(let episode) = finding { episode } else { nil }
    }
  }

  @Test func `a folder without files has no findings`() throws {
    #expect(try findings().isEmpty)
  }

  @Test func `a path that is not there is an error`() throws {
    #expect(throws: Failure.self) { try LegacyFolder(scratch.path.appending("none")) }
  }

  @Test func `each file is in one finding`() throws {
    let names = [
      "Show/tvshow.nfo", "Show/poster.jpg", "Show/Season 1/Show - S01E01 - A.mp4",
      "Show/Season 1/Show - S01E01 - A.en.srt", "Show/Season 1/Show - S01E01 - A-thumb.jpg",
      "Show/Season 1/Show - S01E01 - A.key", "Show/Season 1/notes.txt",
      "Show/Trailers/Show-trailer.mp4", "Loose.mkv", "Loose.de.forced.vtt",
    ]
    for name in names { try scratch.write(name, "x") }
    var found: [String] = []
    for finding in try findings() {
      switch finding {
      case .episode(let episode): found += episode.files.map { $0.path.string }
      case .skipped(let path, _, _): found.append(path.string)
      case .left(let file, _, _): found.append(file.path.string)
      case .excluded(let folder): found.append(folder.path.string)
      case .subscriptions: break
      case .refused(let path, _): found.append(path)
      }
    }
    let folder = try LegacyFolder(scratch.path).path
    #expect(found.sorted() == names.map { folder.appending($0).string }.sorted())
  }

  @Test(arguments: [
    "#recycle", "$RECYCLE.BIN/S-1-5", "Show/@eaDir", "Show/lost+found", "__MACOSX/Show",
  ]) func `a bin or cache is one finding that counts its files`(_ bin: String) throws {
    // A removed video was planned beside, or instead of, the one that the user has kept.
    for name in ["A", "B"] { try scratch.write("\(bin)/Show - S01E01 - \(name).mp4", "xy") }
    try scratch.write("Show/Show - S01E01 - C.mp4", "x")
    let folder = try LegacyFolder(scratch.path)
    #expect(folder.excluded.map(\.count) == [2])
    #expect(folder.excluded.map(\.size.bytes) == [4])
    #expect(try episodes().map(\.description.title) == ["C"])
    let named = try LegacyFolder(scratch.path.appending(bin))
    #expect(named.files.count == 2 && named.excluded.isEmpty)
  }

  @Test(arguments: [".nomedia", ".ignore"])
  func `an empty mark excludes its folder`(_ mark: String) throws {
    try scratch.write("Private/\(mark)", "")
    try scratch.write("Private/Deep/Show - S01E01 - A.mp4", "x")
    try scratch.write("Open/\(mark)", "*.tmp")
    try scratch.write("Open/Show - S01E02 - B.mp4", "x")
    let folder = try LegacyFolder(scratch.path)
    #expect(folder.excluded.map { $0.path.lastComponent?.string } == ["Private"])
    #expect(folder.excluded.map(\.count) == [1])
    #expect(try episodes().map(\.description.title) == ["B"])
    let named = try LegacyFolder(scratch.path.appending("Private"))
    #expect(named.excluded.isEmpty && named.files.count == 2)
  }

  @Test func `an excluded folder is a row with its count`() throws {
    let tree = try LegacyTree(["Show/Show - S01E01 - A.mp4": "x", "#recycle/Old.mp4": "x"])
    let read = try tree.read(.tree)
    #expect(read.excluded == ["#recycle": 1])
    #expect(read.episodes.count == 1)
  }

  @Test func `empty videos and attributes of macOS are no episodes`() throws {
    try scratch.write("Show/Show - S01E01 - A.mp4", "")
    try scratch.write("Show/._Show - S01E02 - B.mp4", "\0\u{5}\u{16}\u{7}")
    let reasons = try findings().compactMap { finding in
      if case .skipped(_, _, let doubt) = finding { doubt } else { nil }
    }
    #expect(reasons == [.noPart, .noPart])
    #expect(try episodes().isEmpty)
  }

  @Test func `numbers come from the name, texts from the NFO file`() throws {
    try scratch.write("Show/Season 2/Show - S02E03 - From Name.mp4", "x")
    try scratch.write(
      "Show/Season 2/Show - S02E03 - From Name.nfo",
      "<episodedetails><title>From NFO</title><season>9</season><episode>9</episode>"
        + "<aired>2020-05-06</aired><playcount>1</playcount><uniqueid type='tvdb'>5</uniqueid>"
        + "</episodedetails>")
    let episode = try #require(try episodes().first)
    #expect(episode.description.season == 2)
    #expect(episode.description.number == 3)
    #expect(episode.description.title == "From NFO")
    #expect(episode.description.date == CalendarDay("2020-05-06"))
    #expect(episode.description.isWatched == true)
    #expect(episode.hints == [.outside(catalogue: "tvdb", id: "5")])
    #expect(episode.doubts.isEmpty)
    #expect(episode.status == .downloaded)
  }

  @Test func `a name alone is a doubt`() throws {
    try scratch.write("Show/Show - S02E03 - A.mp4", "x")
    #expect(try episodes().map(\.doubts) == [[.nameOnly]])
  }

  @Test func `season and number of one number are a doubt`() throws {
    try scratch.write("harbour.lights.208.hdtv.mp4", "x")
    #expect(try episodes().map(\.doubts) == [[.nameOnly, .guessedNumber]])
  }

  @Test func `a folder of subtitles belongs to the videos above it`() throws {
    let names = [
      "Film/Film.mp4", "Film/Subs/2_English.srt", "Film/Subs/3_German.srt",
      "Show/S1/Show - S01E01.mp4", "Show/S1/Show - S01E02.mp4",
      "Show/S1/Subs/Show - S01E01/2_English.srt", "Show/S1/Subtitles/Show - S01E02.fr.srt",
      "Show/S1/Subtitles/other.srt",
    ]
    for name in names { try scratch.write(name, "x") }
    let findings = try findings()
    let parts = findings.compactMap { finding in
      if case .episode(let episode) = finding { episode.files.map(\.part) } else { nil }
    }
    #expect(
      parts == [
        ["video", "subtitle:en", "subtitle:de"], ["video", "subtitle:en"],
        ["video", "subtitle:fr"],
      ])
    let left = findings.compactMap { finding in
      if case .skipped(let path, _, .noPart) = finding { path.lastComponent?.string } else { nil }
    }
    #expect(left == ["other.srt"])
  }

  @Test func `a course without numbers is numbered in the order of its files`() throws {
    let names = [
      "Algebra/Groups.mp4", "Algebra/Rings.mp4", "Logic/Lecture 4.mp4", "Logic/Sets.mp4",
    ]
    for name in names { try scratch.write(name, "x") }
    var numbers = CourseNumbers()
    let found = numbers.number(try findings()).compactMap { finding in
      if case .episode(let episode) = finding { episode.description.number } else { nil }
    }
    #expect(found == [1, 2, 4])
  }

  @Test func `files that begin with numbers give them to those without a zero`() throws {
    for name in ["Algebra/09 Fields.mp4", "Algebra/10 Rings.mp4"] { try scratch.write(name, "x") }
    #expect(try episodes().map(\.description.number) == [9, 10])
    #expect(try episodes().map(\.description.title) == ["Fields", "Rings"])
  }

  @Test func `a video of several episodes gives several records of the same file`() throws {
    try scratch.write("Show/Season 1/Show - S01E01-E03.mp4", "x")
    try scratch.write(
      "Show/Season 1/Show - S01E01-E03.nfo",
      "<episodedetails><title>One</title><episode>1</episode></episodedetails>\n"
        + "<episodedetails><title>Three</title><episode>3</episode></episodedetails>")
    let episodes = try episodes()
    #expect(episodes.map(\.description.number) == [1, 2, 3])
    #expect(episodes.map(\.description.title) == ["One", "S01E02", "Three"])
    #expect(Set(episodes.flatMap { $0.files.map(\.path) }).count == 1)
    #expect(episodes.allSatisfy { $0.doubts.contains(.severalEpisodes) })
  }

  @Test(
    arguments: [
      ("Show - S01E23-E24-E26 - The Woman", [23, 24, 26]), ("Show - S01E01-E04", [1, 2, 3, 4]),
      ("Show - 01x03x05", [3, 5]),
    ] as [(String, [Int64])])
  func `a list of numbers is not a range`(name: String, numbers: [Int64]) throws {
    try scratch.write("Show/Season 1/\(name).mp4", "x")
    #expect(try episodes().map(\.description.number) == numbers)
  }

  @Test(arguments: ["", "<html>", "<episodedetails><title>A</titl", "\u{0}\u{1}"])
  func `a broken NFO file takes nothing from the video`(text: String) throws {
    try scratch.write("Show/Show - S01E01 - A.mp4", "x")
    try scratch.write("Show/Show - S01E01 - A.nfo", text)
    #expect(try episodes().map(\.description.number) == [1])
  }

  @Test func `entities of an NFO file are neither expanded without end nor read from elsewhere`()
    throws
  {
    try scratch.write("secret", "hidden")
    try scratch.write("Show/Show - S01E01 - A.mp4", "x")
    let secret = scratch.path.appending("secret").string
    try scratch.write(
      "Show/Show - S01E01 - A.nfo",
      "<!DOCTYPE e [<!ENTITY x SYSTEM 'file://\(secret)'>]>"
        + "<episodedetails><title>&x;</title></episodedetails>")
    #expect(try episodes().allSatisfy { $0.description.title?.contains("hidden") != true })
  }
}
