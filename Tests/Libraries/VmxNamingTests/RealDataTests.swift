import Testing
import VmxModel
import VmxNaming
import VmxTestSupport

/// Parsers on real names, URLs and media that were not made for these tests.
@Suite(.enabled(if: RealData.isHere, Comment(rawValue: RealData.absence)))
struct RealDataTests {
  private static let feeds =
    ["feeds/published", "feeds/made", "feeds/podcastparser", "feeds/feedparser"].flatMap { folder in
      RealData.names(in: folder).map { "\(folder)/\($0)" }
    } + ["feeds/podcast-namespace/example.xml"]

  @Test func `every URL of real feeds is either accepted unchanged or refused`() throws {
    var taken = 0
    for feed in Self.feeds {
      for text in Self.urls(in: try RealData.text(feed)) {
        guard let url = try? WebURL(text) else { continue }
        taken += 1
        #expect(try WebURL(url.text).text == url.text, "\(feed): \(text)")
        #expect(url.stem.utf8.count <= url.lastPathComponent.utf8.count)
        #expect(try WebURL(url.withoutTracking).withoutTracking == url.withoutTracking)
      }
    }
    #expect(taken > 300, "only \(taken)")
  }

  @Test func `every title of real feeds yields a slug and a safe name`() throws {
    var titles = Set<String>()
    for feed in Self.feeds { titles.formUnion(Self.titles(in: try RealData.text(feed))) }
    #expect(titles.count > 40)
    for title in titles {
      let slug = Slug(transliterating: title, fallback: title)
      #expect(Slug(valid: slug.description) == slug, "\(title)")
      let name = SafeName.component(title)
      #expect(name.isEmpty || SafeComponent.isValid(name), "\(title)")
    }
  }

  @Test func `names tested with media servers stay readable`() throws {
    for table in RealData.names(in: "naming") {
      for row in try RealData.rows("naming/\(table)") {
        for component in row[0].split(separator: "/") {
          let name = SafeName.component(String(component))
          #expect(name.isEmpty || SafeComponent.isValid(name), "\(component)")
          let plain = component.unicodeScalars.allSatisfy {
            !"/\\:*?\"<>|".unicodeScalars.contains($0)
          }
          let first = component.first.map { ".- ".contains($0) } ?? true
          if plain, !first, !component.contains("  ") { #expect(name == component) }
        }
      }
    }
  }

  /// A large media server must read the right season and number from the names that vmx generates.
  @Test func `generated names have season and number as servers expect them`() throws {
    for row in try RealData.rows("naming/EpisodePathParser.tsv") {
      guard row.count >= 5, let season = Int64(row[3]), let number = Int64(row[4]) else { continue }
      var episode = Episode(
        id: try EpisodeID("a/b"), title: "Title", showTitle: row[2],
        added: Timestamp(seconds: 0), parts: [])
      episode.season = season
      episode.number = number
      let path = MediaName.path(
        for: episode, part: Part(role: .video, variants: []), fileExtension: "mp4")
      let (s, e) = (Slug.episode(season: season, number: number).description, number)
      #expect(path.contains(" - \(s.uppercased()) - "), "\(path) \(e)")
      #expect(path.hasPrefix("\(row[2])/Season "))
    }
  }

  @Test func `a tree in Kodi's layout has the generated names`() throws {
    let folder = "kodi/Meadow Tales (2020)/Season 01"
    let names = Set(RealData.names(in: folder))
    var episode = Episode(
      id: try EpisodeID("meadow-tales/s01e01"), title: "The Rabbit", showTitle: "Meadow Tales",
      added: Timestamp(seconds: 0), parts: [])
    episode.season = 1
    episode.number = 1
    var forced = Part(role: .subtitle, language: "cs", variants: [])
    forced.isForced = true
    var sdh = Part(role: .subtitle, language: "en", variants: [])
    sdh.isSDH = true
    let parts: [(Part, String)] = [
      (Part(role: .video, variants: []), "mp4"), (Part(role: .image, variants: []), "jpg"),
      (Part(role: .metadata, variants: []), "nfo"), (forced, "srt"), (sdh, "srt"),
      (Part(role: .subtitle, language: "en", variants: []), "srt"),
    ]
    for (part, ending) in parts {
      let path = MediaName.path(for: episode, part: part, fileExtension: ending)
      let components = path.split(separator: "/")
      #expect(components[1] == "Season 01")
      #expect(names.contains(String(components[2])), "\(path)")
    }
  }

  @Test(
    arguments: [
      ("video/bigbuckbunny.mp4", .mp4), ("video/carphone_distorted.mp4", .mp4),
      ("video/made/audio-only.m4a", .m4a), ("video/made/html-instead-of-video.mp4", .html),
      ("video/made/mkv-subs-chapters.mkv", .matroska), ("video/made/webm-vp9-opus.webm", .webm),
      ("video/made/mp4-truncated-no-moov.mp4", .mp4),
      ("video/made/video-only-moov-at-end.mp4", .mp4), ("subtitles/jellyfin/example.srt", .srt),
      ("subtitles/jellyfin/example.ass", .ass), ("subtitles/webvtt-py/captions_with_bom.vtt", .vtt),
      ("subtitles/webvtt-py/styles_colours.srt", .srt), ("subtitles/pysrt/bom-utf-8.srt", .srt),
      ("subtitles/pysubs2/ttml_example.ttml", .xml), ("feeds/published/rss_2.0_bbc.xml", .xml),
      ("feeds/published/jsonfeed_example_1.json", .json),
    ] as [(String, MediaKind)])
  func `real files are recognised by their first bytes`(name: String, kind: MediaKind) throws {
    #expect(MediaKind.sniff(try RealData.bytes(name).prefix(MediaKind.sniffLength)) == kind)
  }

  private static func urls(in feed: String) -> [String] {
    let ends = Set<Character>("\"'<> \n\r\t]),")
    var urls: [String] = []
    var rest = Substring(feed)
    while let start = rest.firstRange(of: "http") {
      let url = rest[start.lowerBound...].prefix { !ends.contains($0) }
      if url.hasPrefix("http://") || url.hasPrefix("https://") { urls.append(String(url)) }
      rest = rest[url.endIndex...]
    }
    return urls
  }

  private static func titles(in feed: String) -> [String] {
    var titles: [String] = []
    var rest = Substring(feed)
    while let start = rest.firstRange(of: "<title>") {
      let title = rest[start.upperBound...].prefix { $0 != "<" }
      titles.append(String(title))
      rest = rest[title.endIndex...]
    }
    return titles
  }
}
