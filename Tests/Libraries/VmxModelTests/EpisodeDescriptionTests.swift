import Testing
import VmxModel
import VmxTestSupport

struct EpisodeDescriptionTests {
  private func object(_ fields: (String, JSONValue)...) -> JSONObject {
    JSONObject(distinct: fields.map { (key: $0.0, value: $0.1) })
  }

  private let url = "http://a.example/shows/My%20Clip.mp4?utm_source=rss&t=1"

  @Test func `every field of a line is read`() throws {
    let digest = String(repeating: "ab", count: 32)
    let line = try EpisodeDescription(
      object(
        ("schema", 1), ("id", "girls/s01e02"), ("title", "Vagina Panic"), ("show", "girls"),
        ("show_title", "Girls"), ("season", 1), ("number", 2), ("date", "2012-04-22"),
        ("summary", "…"), ("want", "hold"), ("priority", -3), ("keep", true), ("watched", false),
        ("metered_ok", true), ("expires", "2030-01-01T00:00:00Z"), ("url", .string(url)),
        ("sha256", .string(digest)), ("size", 17),
        ("duration", 3_723_000), ("state", "ready"), ("unheard-of", .null)))
    #expect(line.id?.description == "girls/s01e02")
    #expect(line.title == "Vagina Panic")
    #expect(line.resolvedShowTitle == "Girls")
    #expect(line.season == 1)
    #expect(line.number == 2)
    #expect(line.date?.description == "2012-04-22")
    #expect(line.summary == "…")
    #expect(line.want == .hold)
    #expect(line.priority == -3)
    #expect(line.isKept == true)
    #expect(line.isWatched == false)
    #expect(line.isMeteredOK == true)
    #expect(line.expires?.text == "2030-01-01T00:00:00.000Z")
    let variant = try #require(line.video?.variants.first)
    #expect(variant.sources.map(\.text) == [url])
    #expect(variant.sha256?.hex == digest)
    #expect(variant.size == ByteCount(17))
    #expect(variant.duration == 3_723_000)
  }

  @Test func `the video is the first of the parts`() throws {
    let line = try EpisodeDescription(
      object(
        (
          "parts",
          .array([
            .object(
              object(
                ("role", "subtitle"), ("lang", "pt-br"), ("sdh", true), ("required", true),
                ("url", "http://a.example/s.srt"))),
            .object(
              object(
                (
                  "variants",
                  .array([
                    .object(
                      object(
                        ("height", 720), ("bitrate", 1_000_000), ("type", "video/mp4"),
                        ("duration", 60_000),
                        (
                          "sources",
                          .array([
                            "http://a.example/v.mp4",
                            .object(object(("url", "http://b.example/v.mp4"))),
                          ])
                        )))
                  ])
                ))),
          ])
        )))
    #expect(line.parts.map(\.name) == ["video", "subtitle:pt-BR.sdh"])
    #expect(line.parts.map(\.isRequired) == [true, true])
    let variant = try #require(line.video?.variants.first)
    #expect(variant.height == 720)
    #expect(variant.duration == 60_000)
    #expect(variant.sources.map(\.host) == ["a.example", "b.example"])
  }

  @Test(
    arguments: [
      ("title", 3), ("show", true), ("season", "1"), ("season", -1), ("number", .double(1.5)),
      ("date", "2024-02-30"), ("want", "maybe"), ("priority", "high"), ("keep", 1), ("url", 5),
      ("sha256", "abc"), ("size", -1), ("duration", 0), ("duration", -1), ("duration", "1:02:03"),
      ("expires", "soon"), ("parts", "none"), ("id", 7),
      ("parts", .array([1])),
    ] as [(String, JSONValue)])
  func `a field of a wrong type is reported`(key: String, value: JSONValue) throws {
    var line = object(("id", "a/b"), ("url", "http://a.example/x"))
    line[key] = value
    let failure = try #require(throws: Failure.self) { try EpisodeDescription(line) }
    #expect(failure.code == .badLine)
    #expect(failure.summary.contains("'\(key)'"))
  }

  @Test(
    arguments: [
      ("lang", "e n"), ("lang", 1), ("role", "film"), ("variants", .array(["x"])),
      ("forced", "yes"), ("size", "1"),
    ] as [(String, JSONValue)])
  func `a field of a part with a wrong type is reported`(key: String, value: JSONValue) throws {
    var part = object(("url", "http://a.example/x"))
    part[key] = value
    let line = object(("parts", .array([.object(part)])))
    let failure = try #require(throws: Failure.self) { try EpisodeDescription(line) }
    #expect(failure.code == .badLine)
    #expect(failure.summary.contains("'\(key)'"))
  }

  @Test func `sources that are not strings are refused`() {
    let line = object(
      (
        "parts",
        .array([.object(object(("variants", .array([.object(object(("sources", "x")))]))))])
      ))
    #expect(code { try EpisodeDescription(line) } == .badLine)
  }

  @Test func `other failures keep their own codes`() {
    #expect(code { try EpisodeDescription(object(("id", "Not/Good"))) } == .badID)
    #expect(code { try EpisodeDescription(object(("url", "nonsense"))) } == .badURL)
    let playlist = object(("url", "http://a.example/x.m3u8"))
    #expect(code { try EpisodeDescription(playlist) } == .sourceUnsupported)
  }

  @Test func `two parts with one name are refused`() {
    let line = object(
      ("url", "http://a.example/1"),
      ("parts", .array([.object(object(("url", "http://a.example/2")))])))
    #expect(code { try EpisodeDescription(line) } == .badLine)
  }

  @Test func `a line that identifies neither an episode nor a source is refused`() throws {
    #expect(code { try EpisodeDescription(object(("title", "x"))) } == .badLine)
    #expect(try EpisodeDescription(object(("id", "a/b"))).parts.isEmpty)
  }

  @Test func `without names the URL provides them`() throws {
    let line = try EpisodeDescription(object(("url", .string(url))))
    #expect(line.resolvedTitle == "My Clip")
    #expect(line.resolvedShowTitle == "a.example")
    #expect(line.proposedID.description == "a.example/my-clip")
  }

  @Test func `the id comes from the number, then the date, then the title`() throws {
    var line = try EpisodeDescription(
      object(("show", "Žlutý Kůň"), ("title", "První"), ("url", .string(url))))
    #expect(line.proposedID.description == "zluty-kun/prvni")
    line.date = CalendarDay("2024-05-20")
    #expect(line.proposedID.description == "zluty-kun/2024-05-20")
    line.number = 2
    #expect(line.proposedID.description == "zluty-kun/s01e02")
    line.season = 0
    #expect(line.proposedID.description == "zluty-kun/s00e02")
    line.id = try EpisodeID("own/id")
    #expect(line.proposedID.description == "own/id")
  }

  @Test func `the identity keys cover every source without tracking, the digest and the number`()
    throws
  {
    let hex = String(repeating: "0f", count: 32)
    let line = try EpisodeDescription(
      object(
        ("show", "Girls"), ("season", 1), ("number", 2), ("url", .string(url)),
        ("sha256", .string(hex.uppercased()))))
    #expect(
      line.identityKeys.map(\.key) == [
        IdentityKey.digest(hex).key,
        IdentityKey.source("http://a.example/shows/My%20Clip.mp4?t=1").key,
        IdentityKey.numbered(show: "girls", season: 1, number: 2).key,
      ])
  }

  @Test func `a number without a show is not an identity key`() throws {
    let line = try EpisodeDescription(object(("number", 2), ("url", .string(url))))
    #expect(line.identityKeys.count == 1)
  }

  @Test func `a subtitle option has language, flags and URL`() throws {
    let part = try PartDescription(subtitle: "zh-hans.sdh=http://a.example/s.vtt?a=b")
    #expect(part.name == "subtitle:zh-Hans.sdh")
    #expect(!part.isRequired)
    #expect(part.variants.first?.sources.first?.text == "http://a.example/s.vtt?a=b")
    for wrong in ["en", "=http://a.example/", "e=http://a.example/", "en.loud=http://a.example/"] {
      #expect(code { try PartDescription(subtitle: wrong) } == .usage)
    }
    #expect(code { try PartDescription(subtitle: "en=nonsense") } == .badURL)
  }

  @Test func `users and passwords are stored in the record by reference only`() throws {
    let line = try EpisodeDescription(object(("url", "http://ann:hunter2@a.example/x.mp4")))
    let part = try #require(line.video).part { url in "ref-\(url.password ?? "")".prefix(5) + "1" }
    let source = try #require(part.variants.first?.sources.first)
    #expect(source == Source(url: "http://a.example/x.mp4", secret: "ref-h1"))
    #expect(part.state == .new)
    #expect(part.isRequired)
  }

  // Regression: an undo restored a list of its own, without rating, age rating, chapters and guid.
  @Test(arguments: [false, true])
  func `the previous description is restored, the marks of the user stay`(fills: Bool) throws {
    let described = try Self.full()
    let before = Episode(
      id: try EpisodeID("films/s01e01"), title: "", showTitle: "", added: Timestamp(seconds: 0),
      parts: [])
    var episode = before
    if fills { described.fill(&episode) } else { described.apply(to: &episode) }
    let set = Set(before.changes(in: episode))
    let texts: Set<Episode.Field> = [
      .title, .showTitle, .season, .number, .date, .duration, .language, .summary, .rating,
      .ageRating, .chapters, .chaptersURL, .pageURL, .expires,
    ]
    let marks: Set<Episode.Field> = [.priority, .keep, .watched, .meteredOK]
    #expect(set == texts.union([.feed, .guid, .by]).union(fills ? [] : marks))
    episode.restoreDescription(from: before)
    #expect(Set(before.changes(in: episode)) == (fills ? [] : marks))
  }

  @Test func `an undo does not change the end of a licence that was received since`() throws {
    var episode = Episode(
      id: try EpisodeID("films/s01e01"), title: "A", showTitle: "S", added: Timestamp(seconds: 0),
      parts: [])
    let before = episode
    episode.licence = EpisodeLicence(state: .usable)
    episode.expires = Timestamp("2030-01-01T00:00:00Z")
    let licensed = episode
    episode.restoreDescription(from: before)
    #expect(episode == licensed)
  }

  /// A description with a value in every field that an import sets.
  private static func full() throws -> EpisodeDescription {
    var described = EpisodeDescription()
    (described.title, described.show, described.showTitle) = ("The Gate", "films", "Our Films")
    (described.season, described.number) = (2, 3)
    described.date = CalendarDay("2024-05-06")
    (described.duration, described.language) = (60_000, "nb")
    described.summary = "A gate."
    described.rating = Rating(7.5)
    described.ageRating = AgeRating("12")
    described.chapters = [Chapter(start: 0, title: "Start")]
    described.chaptersURL = "https://a.example/chapters.json"
    described.pageURL = "https://a.example/watch?v=1"
    (described.feed, described.guid) = ("films", "guid-1")
    (described.priority, described.isKept) = (3, true)
    (described.isWatched, described.isMeteredOK) = (true, true)
    described.expires = Timestamp("2030-01-01T00:00:00Z")
    return described
  }
}

extension Episode {
  /// The fields whose values differ in another record.
  fileprivate func changes(in other: Episode) -> [Field] {
    let fields = Array(Field.allCases)
    return zip(fields, zip(json(of: fields), other.json(of: fields)))
      .filter { $0.1.0 != $0.1.1 }.map(\.0)
  }
}
