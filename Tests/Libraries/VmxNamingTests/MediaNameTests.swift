import Testing
import VmxModel
import VmxNaming
import VmxTestSupport

struct MediaNameTests {
  private func episode(
    _ show: String = "Meadow Tales", _ title: String = "The Rabbit", season: Int64? = 1,
    number: Int64? = 2, date: String? = nil
  ) throws -> Episode {
    var episode = Episode(
      id: try EpisodeID("meadow/x"), title: title, showTitle: show,
      added: Timestamp(seconds: 0), parts: [])
    episode.season = season
    episode.number = number
    episode.date = date.flatMap(CalendarDay.init(_:))
    return episode
  }

  private func part(
    _ role: PartRole, _ language: String? = nil, forced: Bool = false, sdh: Bool = false
  ) -> Part {
    var part = Part(role: role, language: language, variants: [])
    part.isForced = forced
    part.isSDH = sdh
    return part
  }

  @Test func `an episode with a number is in the folder of its season`() throws {
    #expect(
      MediaName.path(for: try episode(), part: part(.video), fileExtension: "mp4")
        == "Meadow Tales/Season 01/Meadow Tales - S01E02 - The Rabbit.mp4")
    #expect(
      MediaName.path(
        for: try episode(season: 2017, number: 368), part: part(.video), fileExtension: "MKV")
        == "Meadow Tales/Season 2017/Meadow Tales - S2017E368 - The Rabbit.mkv")
  }

  @Test func `season 0 is Specials`() throws {
    #expect(
      MediaName.path(for: try episode(season: 0), part: part(.video), fileExtension: "mp4")
        == "Meadow Tales/Specials/Meadow Tales - S00E02 - The Rabbit.mp4")
  }

  @Test func `a number without a season counts as season 1`() throws {
    #expect(
      MediaName.path(for: try episode(season: nil), part: part(.video), fileExtension: "mp4")
        == "Meadow Tales/Season 01/Meadow Tales - S01E02 - The Rabbit.mp4")
  }

  @Test func `a daily show is named by its date`() throws {
    let daily = try episode(season: nil, number: nil, date: "2024-05-20")
    #expect(
      MediaName.path(for: daily, part: part(.video), fileExtension: "mp4")
        == "Meadow Tales/Season 2024/Meadow Tales - 2024-05-20 - The Rabbit.mp4")
  }

  @Test func `without number and date only the title names it`() throws {
    let single = try episode(season: nil, number: nil)
    #expect(
      MediaName.path(for: single, part: part(.video), fileExtension: "mp4")
        == "Meadow Tales/Meadow Tales - The Rabbit.mp4")
  }

  @Test(arguments: [
    (NameTemplate.standardText, "News/Late/Season 01/Meadow Tales - S01E02 - The Rabbit.mp4"),
    ("{year}/{show}/{title}", "News/Late/Meadow Tales/The Rabbit.mp4"),
    ("{show} {place}", "News/Late/Meadow Tales S01E02.mp4"),
  ])
  func `the folder of an episode replaces the first component`(
    template: String, expected: String
  ) throws {
    var episode = try episode()
    episode.folder = "News/Late"
    let template = try #require(NameTemplate(template))
    #expect(
      MediaName.path(for: episode, part: part(.video), fileExtension: "mp4", by: template)
        == expected)
  }

  @Test(arguments: [
    ("News", true), ("News/Late Night/ä", true), (String(repeating: "x", count: 100), true),
    (String(repeating: "x", count: 101), false), ("a/b/c/d", true), ("a/b/c/d/e", false),
    ("", false), (".", false), ("..", false), ("../a", false), ("a/../b", false), ("/a", false),
    ("a/", false), ("a//b", false), (".vmx", false), ("-a", false), ("a\u{7}b", false),
    ("a\nb", false), ("a:b", false), ("a*", false), ("a.", false), ("a ", false), ("nul", false),
    ("a\u{202E}b", false),
  ])
  func `a folder has names that are valid on every file system`(text: String, isFolder: Bool) {
    #expect(MediaFolder.isValid(text) == isFolder)
  }

  @Test func `companions share the stem of the video`() throws {
    let stem = "Meadow Tales/Season 01/Meadow Tales - S01E02 - The Rabbit"
    let cases: [(Part, String, String)] = [
      (part(.subtitle, "en"), "srt", ".en.srt"),
      (part(.subtitle, "cs", forced: true), "srt", ".cs.forced.srt"),
      (part(.subtitle, "pt-br", sdh: true), "vtt", ".pt-BR.sdh.vtt"),
      (part(.subtitle), "", ".srt"), (part(.image), "jpg", "-thumb.jpg"),
      (part(.metadata), "nfo", ".nfo"), (part(.key), "", ".key"),
    ]
    for (part, ending, expected) in cases {
      let path = MediaName.path(for: try episode(), part: part, fileExtension: ending)
      #expect(path == stem + expected)
      #expect(
        MediaName.path(beside: stem + " (2).mp4", part: part, fileExtension: ending)
          == stem + " (2)" + expected)
    }
  }

  @Test func `a taken name gets a number at the end of the stem`() throws {
    #expect(
      MediaName.path(for: try episode(), part: part(.video), fileExtension: "mp4", copy: 2)
        .hasSuffix("/Meadow Tales - S01E02 - The Rabbit (2).mp4"))
  }

  @Test(arguments: ["", "../../etc", "tar.gz", "averylongone", "é", "a/b"])
  func `an invalid extension is replaced`(ending: String) throws {
    #expect(
      MediaName.path(for: try episode(), part: part(.video), fileExtension: ending)
        .hasSuffix(" - The Rabbit.mp4"))
  }

  @Test func `a title that only repeats the number is not written twice`() throws {
    #expect(
      MediaName.path(for: try episode("A", "S01E02"), part: part(.video), fileExtension: "mp4")
        == "A/Season 01/A - S01E02.mp4")
  }

  @Test func `an empty title leaves no trailing hyphen`() throws {
    #expect(
      MediaName.path(for: try episode("???", "..."), part: part(.video), fileExtension: "mp4")
        == "meadow/Season 01/meadow - S01E02.mp4")
  }

  @Test func `for any title the path is safe and short enough for every suffix`() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<1000 {
      let numbered = Bool.random(using: &random)
      let episode = try episode(
        random.text(upTo: 200), random.text(upTo: 300), season: numbered ? 1 : nil,
        number: numbered ? .max : nil)
      let path = MediaName.path(
        for: episode, part: part(.subtitle, "zh-Hans-CN", forced: true, sdh: true),
        fileExtension: "srt", copy: 999)
      let components = path.utf8.split(
        separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
      )
      .map { String(Substring($0)) }
      #expect(components.count == (numbered ? 3 : 2))
      for component in components {
        #expect((1...SafeName.maxLength).contains(component.utf8.count))
        #expect(SafeComponent.isValid(component), "\(component.debugDescription)")
      }
    }
  }
}
