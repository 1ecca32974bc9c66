import Testing
import VmxModel
import VmxNaming

/// The information derived from the path of a video, rule by rule.
struct EpisodeFileNameTests {
  /// Returns the place as `S01E02-E04`, the day, or `#05` for a number within the whole show.
  private func place(_ path: String) -> String {
    let name = EpisodeFileName(path)
    var text = name.date?.description ?? ""
    if let season = name.season { text += "S\(season)" }
    if let number = name.number { text += "E\(number)" }
    if let absolute = name.absolute { text += "#\(absolute)" }
    guard let last = name.numbers.last else { return text }
    let isRange = last - (name.number ?? name.absolute ?? 0) + 1 == name.numbers.count
    return text + (isRange ? "-\(last)" : name.numbers.dropFirst().map { ",\($0)" }.joined())
  }

  @Test func `a well-formed name provides all fields`() {
    let name = EpisodeFileName("Show Name (2020)/Season 01/Show Name (2020) - S01E02 - Title.mkv")
    #expect(name.showTitle == "Show Name (2020)")
    #expect(name.season == 1 && name.number == 2 && name.title == "Title")
    #expect(name.hasPlace && !name.isExtra && name.numbers.isEmpty && name.date == nil)
  }

  @Test(arguments: [
    ("a/Show.S01E02.mkv", "S1E2"), ("a/show s1e2.mkv", "S1E2"), ("a/Show S01.E02.mkv", "S1E2"),
    ("a/Show S01xE02.mkv", "S1E2"), ("a/Show - S01 E02.mkv", "S1E2"),
    ("a/S2017E368.mkv", "S2017E368"),
    ("a/Show Season 3 Episode 9.mkv", "S3E9"), ("a/Staffel 2 Folge 4.mkv", "S2E4"),
    ("a/Show_Series_1_-_02._Title.mp4", "S1E2"), ("a/Show - S01E02v2.mkv", "S1E2"),
    ("a/Show 4x12.mkv", "S4E12"), ("a/Show [04x12].mkv", "S4E12"), ("a/2009x02 b.mkv", "S2009E2"),
    ("a/Show 2024-05-20.mkv", "2024-05-20"), ("a/Show.2024.05.20.mkv", "2024-05-20"),
    ("a/Show 20-05-2024.mkv", "2024-05-20"), ("a/Show 2024_05_20 b.mkv", "2024-05-20"),
    ("a/05.mkv", "#5"), ("a/Show - 05.mkv", "#5"), ("a/Show - 05v2 [1080p].mkv", "#5"),
    ("a/[G] Show [05][1080p].mkv", "#5"), ("a/Episode 5 - Title.mkv", "#5"),
    ("a/01. Title.mkv", "#1"),
    ("Show/Show 205.mkv", "#205"), ("Show/Season 2/05.mkv", "S2E5"),
    ("Show/S2/Show 05.mkv", "S2E5"),
    ("Show/Specials/05 - Title.mkv", "S0E5"), ("Show.S01E02.720p-G/g-show.mkv", "S1E2"),
    ("Show/S03E05/Nothing.mkv", "S3E5"),
  ])
  func `the patterns are those of common tools`(path: String, wanted: String) {
    #expect(place(path) == wanted)
  }

  @Test(arguments: [
    ("a/Show 2x03 - 2024-05-20.mkv", "S2E3"), ("a/2024-05-20 S01E02.mkv", "S1E2"),
    ("a/05 - 1x06.mkv", "S1E6"), ("a/05 - 2024-05-20.mkv", "2024-05-20"),
    ("Show/Season 1/Show S02E03.mkv", "S2E3"),
    ("Show/Season 2024/Show 2024-05-20.mkv", "2024-05-20"),
    ("Show/Season 3/Show 2024-05-20.mkv", "2024-05-20S3"),
  ])
  func `a letter pattern precedes a cross, a date and a number, and the name its folder`(
    path: String, wanted: String
  ) {
    #expect(place(path) == wanted)
  }

  @Test(arguments: [
    ("a/S01E01E02.mkv", "S1E1-2"), ("a/S01E01-E04.mkv", "S1E1-4"), ("a/S01E01-04.mkv", "S1E1-4"),
    ("a/S01E01 - S01E02 - T.mkv", "S1E1-2"), ("a/02x03-04-15.mkv", "S2E3,4,15"),
    ("a/S01E23-E24-E26.mkv", "S1E23,24,26"), ("a/S01E01E04.mkv", "S1E1,4"),
    ("a/02x03x04x15.mkv", "S2E3,4,15"), ("a/02x03 - 02x04 - 02x15.mkv", "S2E3,4,15"),
    ("a/S01E01-E02-E03.mkv", "S1E1-3"), ("a/S01E01-E999.mkv", "S1E1"),
    ("a/02x03 - x04.mkv", "S2E3-4"), ("Show/Season 2/02-04.mkv", "S2E2-4"),
    ("a/S01E02-1080p.mkv", "S1E2"), ("a/S01E02-1080.mkv", "S1E2"), ("a/S01E02 - E04 b.mkv", "S1E2"),
    ("a/S01E04-E02.mkv", "S1E4"), ("a/S01E02x264.mkv", "S1E2"), ("a/S01E02 - S02E04.mkv", "S1E2"),
  ])
  func `a file of several episodes has a range or a list of numbers`(path: String, wanted: String) {
    #expect(place(path) == wanted)
  }

  @Test(arguments: [
    "a/Film 1080p.mkv", "a/Film 2019.mkv", "a/Film.2019.1080p.x264.mkv", "a/Film 1920x1080.mkv",
    "a/Film 1280x720.mkv", "a/Film DDP5.1x264.mkv", "a/Film H.264.mkv", "a/Apollo 13.mkv",
    "a/2001.mkv", "a/Film - 1984.mkv", "a/20240520123456.mkv", "a/2024-13-01.mkv", "a/Film (2).mkv",
    "a/Meadow.mkv", "a/12 Angry Men.mkv", "a/abcs1e2f.mkv", "Meadow/Meadow - Catch 22.mkv",
    "2024/Film.mkv", "Disc 2/Film.mkv", "", "/", "...", "a/.mkv", "a/99999999999999999999.mkv",
    "a/S99999999999999999999E1.mkv",
  ])
  func `years, resolutions, codecs and titles are not numbers`(path: String) {
    let name = EpisodeFileName(path)
    #expect(!name.hasPlace && name.season == nil && name.title == nil, "\(name)")
  }

  @Test(
    arguments: [
      ("Season 3", 3), ("S03", 3), ("Staffel 3", 3), ("3. Staffel", 3), ("СЕЗОН 3", 3), ("시즌 3", 3),
      ("Temporada 03", 3), ("Stagione_3", 3), ("Sæson 3 (2016)", 3), ("Show Season 3", 3),
      ("Show.S03.1080p.WEB-DL", 3), ("Show [S03][1080p]", 3), ("3", 3), ("specials", 0),
      ("Season 00", 0), ("Season (3)", nil), ("Season", nil), ("2019", nil),
      ("Disc 3", nil),
    ] as [(String, Int64?)])
  func `a folder provides the season`(folder: String, season: Int64?) {
    #expect(EpisodeFileName("Show/\(folder)/Nothing.mkv").season == season)
  }

  @Test(
    arguments: [
      ("tv/Show.Name.S01E02.mkv", "Show Name"), ("tv/show_name-s01e02.mkv", "show name"),
      ("tv/S.H.O.W.S01E02.mkv", "S.H.O.W"), ("tv/[Group] Show - 05.mkv", "Show"),
      ("tv/Show (2020) - S01E02.mkv", "Show (2020)"),
      ("Show (2020)/Show S01E02.mkv", "Show (2020)"),
      ("Show/Season 1/S01E02.mkv", "Show"), ("The Show/Season 1/Abbr - S01E02.mkv", "The Show"),
      ("Show [tvdbid-12]/Season 1/01.mkv", "Show"), ("Show {imdb-tt1}/Season 1/01.mkv", "Show"),
      ("The.Show.S01.720p/x-101.S01E02.mkv", "The Show"), ("Season 1/Show - S01E02.mkv", "Show"),
      ("example.org/Season 01/example.org - S01E02 - T.mp4", "example.org"),
      ("Season 1/S01E02.mkv", nil),
    ] as [(String, String?)])
  func `the show comes from the common text of folder and name`(path: String, show: String?) {
    #expect(EpisodeFileName(path).showTitle == show)
  }

  @Test(
    arguments: [
      ("a/Show - S01E02 - The Title.mkv", "The Title"),
      ("a/Show.S01E02.The.Title.720p.x264-G.mkv", "The Title"),
      ("a/Show S01E02 Title HDTV.mkv", "Title"), ("a/Show - S01E02 - HDTV and I.mkv", "HDTV and I"),
      ("a/Show - S01E02 - Title [1080p][x265].mkv", "Title"),
      ("a/S01E02 - Title [kept].mkv", "Title [kept]"),
      ("a/Show.S01E02.PROPER.WEB-DL.mkv", nil), ("a/Show - S01E02.mkv", nil),
      ("a/Show - S01E02 - A (2).mkv", "A (2)"), ("a/02 - Mr. Title.mkv", "Mr. Title"),
    ] as [(String, String?)])
  func `the title ends at the first technical term`(path: String, title: String?) {
    #expect(EpisodeFileName(path).title == title)
  }

  @Test(arguments: [
    "Show/Season 1/Show.S01E02-sample.mkv", "Show/Extras/Show.S01E02.mkv", "Show/sample.mkv",
    "Show/Season 1/Behind The Scenes/S01E02.mkv", "Show/Show-trailer.mp4", "Show/Trailers/1.mp4",
  ])
  func `trailers, samples and extras are not episodes`(path: String) {
    #expect(EpisodeFileName(path).isExtra)
  }

  @Test(arguments: ["Extras/Season 01/Extras - S01E02.mkv", "tv/Extras/Extras - S01E02 - T.mkv"])
  func `a show may have the name of such a folder`(path: String) {
    let name = EpisodeFileName(path)
    #expect(!name.isExtra && name.showTitle == "Extras" && name.number == 2)
  }
}
