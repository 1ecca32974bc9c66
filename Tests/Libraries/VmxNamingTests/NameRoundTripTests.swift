import Testing
import VmxModel
import VmxNaming
import VmxTestSupport

/// The names that `MediaName` generates are parsed back to the original values.
///
/// A name does not distinguish a title from a place with the same spelling, or a record from
/// another one with the same name. So no title of an unnumbered episode here begins with a number
/// or contains `S01E02`, no dated episode has its year as season, and languages are in their
/// shortest form.
struct NameRoundTripTests {
  private static let languages = [
    nil, "en", "de", "pt-BR", "zh-Hans", "zh-Hant-TW", "hi", "yue", "sr-Latn", "es-419", "gsw",
    "xyz",
    "en-x-ab",
  ]
  private static let titles = [
    "The Rabbit", "1080p", "Catch 22", "A Fight - 2x04", "News of 2020-01-01", "x264 & HDTV",
    "Part 2",
    "E04", "- E04 -", "Mr. No", "Title (2)", "S.O.S.", "[1080p]", "???", "...", "Amazon.de",
    "(2020)", "Sample", "Show", "Season 2", "🚲 a\u{301}", "02-04 b", "Extra-trailer",
  ]
  private static let shows = [
    "Meadow Tales", "Show (2020)", "example.org", "S01E02", "24", "1x02", "Season 1", "Specials",
    "Extras", "2024-05-20", "S.H.O.W.", "The 100", "Show - S01E09", "1883", "_a_", "[G] Show",
    "???",
    "Stargate SG-1",
  ]

  private func episode(_ random: inout SeededRandom) throws -> Episode {
    let isWild = Int.random(in: 0..<3, using: &random) == 0
    let title = isWild ? random.text(upTo: 120) : Self.titles.randomElement(using: &random)
    let show = isWild ? random.text(upTo: 60) : Self.shows.randomElement(using: &random)
    var episode = Episode(
      id: try EpisodeID("meadow/x"), title: title ?? "", showTitle: show ?? "",
      added: Timestamp(seconds: 0), parts: [])
    let numbers: [Int64] = [0, 1, 2, 9, 10, 99, 100, 264, 1080, 2019, .max]
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      episode.season = numbers.randomElement(using: &random)
      episode.number = numbers.randomElement(using: &random)
    case 2:
      episode.date = CalendarDay("2024-02-29")
      episode.season = [nil, 0, 3].randomElement(using: &random) ?? nil
    case 3: episode.season = [0, 1, 2019].randomElement(using: &random)
    default: break
    }
    if episode.number == nil, EpisodeFileName("\(episode.title).mp4").hasPlace {
      episode.title = "A title"
    }
    return episode
  }

  private func part(_ random: inout SeededRandom) -> (Part, String) {
    let kinds: [(PartRole, String)] = [
      (.video, "mkv"), (.subtitle, "srt"), (.subtitle, "vtt"), (.image, "jpg"), (.metadata, "nfo"),
      (.key, "key"),
    ]
    let (role, ending) = kinds.randomElement(using: &random) ?? (.video, "mp4")
    let language = Self.languages.randomElement(using: &random) ?? nil
    var part = Part(role: role, language: language, variants: [])
    part.isForced = role == .subtitle && Bool.random(using: &random)
    part.isSDH = role == .subtitle && Bool.random(using: &random)
    return (part, ending)
  }

  @Test func `show, season, number and date are read back from every name`() throws {
    var random = SeededRandom(seed: 16)
    for _ in 0..<4000 {
      let episode = try episode(&random)
      let copy = Int.random(in: 1...3, using: &random)
      let path = MediaName.path(
        for: episode, part: Part(role: .video, variants: []), fileExtension: "mkv", copy: copy)
      let name = EpisodeFileName(path)
      #expect(name.showTitle == path.split(separator: "/").first.map(String.init), "\(path)")
      #expect(name.season == (episode.season ?? episode.number.map { _ in 1 }), "\(path)")
      #expect(name.number == episode.number && name.date == episode.date, "\(path)")
      if episode.number != nil { #expect(name.numbers.isEmpty, "\(path)") }
      // A bracketed group of technical words is not a part of a title.
      let isPlain = Self.titles.contains(episode.title) && episode.title != "[1080p]"
      if episode.number != nil, copy == 1, isPlain {
        let title = SafeName.component(episode.title)
        #expect(name.title == (title.isEmpty ? nil : title), "\(path)")
      }
    }
  }

  @Test func `role, language and flags are read back from every name beside a video`() throws {
    var random = SeededRandom(seed: 17)
    for _ in 0..<4000 {
      let episode = try episode(&random)
      let (part, ending) = part(&random)
      let copy = Int.random(in: 1...2, using: &random)
      let path = MediaName.path(for: episode, part: part, fileExtension: ending, copy: copy)
      let video = MediaName.path(
        for: episode, part: Part(role: .video, variants: []), fileExtension: "mkv", copy: copy)
      let name = try #require(path.split(separator: "/").last.map(String.init))
      let stem = try #require(video.split(separator: "/").last?.dropLast(4))
      let file = try #require(CompanionFileName(name, beside: String(stem)), "\(path)")
      #expect(file.role == part.role && file.language == part.language, "\(path)")
      #expect(file.isForced == part.isForced && file.isSDH == part.isSDH, "\(path)")
    }
  }
}
