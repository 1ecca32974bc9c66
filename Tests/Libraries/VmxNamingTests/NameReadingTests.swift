import Testing
import VmxModel
import VmxNaming

/// The names of other people's libraries, one a line: path, place, show and title. A place is
/// `S1E2`, `#5` for a number of the whole show, `S1E2-4` for several episodes, or a day; `!` marks
/// extras, and `-` is nothing.
struct NameReadingTests {
  private static let table = """
    # groups, checksums and tags in front, underscores and full stops as blanks
    [Otter] Harbour Lights - 05 [720p].mkv | #5 | Harbour Lights | -
    [Otter]_Harbour_Lights_014_[BD][9C01AF3E].mkv | #14 | Harbour Lights | -
    [Otter].Harbour.Lights.27.[1280x720].mkv | #27 | Harbour Lights | -
    [Otter] [BD][1080p] Harbour Lights 08 [4A10B27C].mkv | #8 | Harbour Lights | -
    [Otter] 05 - Harbour Lights [720p].mkv | #5 | Harbour Lights | -
    【Otter】Harbour Lights - 05.mkv | #5 | Harbour Lights | -
    Harbour_Lights_-_003_DVB.mkv | #3 | Harbour Lights | -
    Harbour Lights 12 (720p).mkv | #12 | Harbour Lights | -
    Harbour.Lights.02.FRENCH.DVDRip.mkv | #2 | Harbour Lights | -
    Harbour.Lights.05.The.Pier.mkv | #5 | Harbour Lights | The Pier
    Harbour Lights - 05 END [720p].mkv | #5 | Harbour Lights | -
    Harbour Lights - 06v2 [720p].mkv | #6 | Harbour Lights | -
    Harbour Lights 07v3 [720p].mkv | #7 | Harbour Lights | -
    003. Harbour Lights - The Pier.mkv | #3 | Harbour Lights | The Pier
    # words for an episode
    Harbour Lights - Book II - Ep 23 - The Pier.mkv | #23 | Harbour Lights - Book II | The Pier
    Harbour Lights Episode 366.mkv | #366 | Harbour Lights | -
    Harbour Lights Folge 4.mkv | #4 | Harbour Lights | -
    Harbour Lights Capitulo 5.mkv | #5 | Harbour Lights | -
    Harbour Lights - Temporada 1 [HDTV][Cap.113].mkv | S1E13 | Harbour Lights | -
    Harbour Lights 5. rész.mkv | #5 | Harbour Lights | -
    Harbour Lights 2 of 6 - The Pier.mkv | #2 | Harbour Lights | The Pier
    Harbour.Lights.E02-E03.mkv | #2-3 | Harbour Lights | -
    港の灯 第3集.mkv | #3 | 港の灯 | -
    港の灯 第195話.mkv | #195 | 港の灯 | -
    港の灯第二季/04.mkv | S2E4 | 港の灯 | -
    港の灯 第十一季 第二十三集.mkv | S11E23 | 港の灯 | -
    Harbour Lights 2×07.mkv | S2E7 | Harbour Lights | -
    Harbour Lights 1 x 03 [720p].mkv | S1E3 | Harbour Lights | -
    Harbour Lights T02E22.mkv | S2E22 | Harbour Lights | -
    Harbour_Lights-s03-x01.mkv | S3E1 | Harbour Lights | -
    Harbour Lights Episode 21 [English Dub].mkv | #21 | Harbour Lights | -
    # seasons in the name and in folders
    [Otter] Harbour Lights S2 - 06 [720p].mkv | S2E6 | Harbour Lights | -
    Harbour Lights - Stagione 6 (2016) 720p ep13.mkv | S6E13 | Harbour Lights | -
    Harbour Lights 2. Staffel Folge 5.mkv | S2E5 | Harbour Lights | -
    Harbour Lights 2nd Season - 05.mkv | S2E5 | Harbour Lights | -
    Harbour Lights/S03/Harbour Lights - 05.mkv | S3E5 | Harbour Lights | -
    Harbour Lights/Saison 2/07.mkv | S2E7 | Harbour Lights | -
    Harbour Lights/Season 2/720p/07.mkv | S2E7 | Harbour Lights | -
    Harbour Lights/Season 2/Episode 07/Harbour Lights - S02E07.mkv | S2E7 | Harbour Lights | -
    Harbour Lights/Specials/02 - The Pier.mkv | S0E2 | Harbour Lights | The Pier
    Harbour Lights/Extras/The Pier.mkv | S0! | Harbour Lights | -
    Harbour.Lights.S00.Pilot.DVDRip.mkv | S0 | Harbour Lights | -
    Harbour Lights Saison 2.1080p.mkv | S2 | Harbour Lights | -
    # three digits
    harbour.lights.208.hdtv-otr.mkv | S2E8 | harbour lights | -
    Harbour.Lights.2014.208.The.Pier.mkv | S2E8 | Harbour Lights (2014) | The Pier
    Harbour Lights/Season 2/Harbour Lights 208.mkv | S2E8 | Harbour Lights | -
    Harbour Lights/Season 3/Harbour Lights 208.mkv | S3E208 | Harbour Lights | -
    Harbour Lights/Harbour Lights 208.mkv | #208 | Harbour Lights | -
    the.100.109.hdtv.mkv | S1E9 | the 100 | -
    # years
    Harbour.Lights.2014.S01E02.720p.mkv | S1E2 | Harbour Lights (2014) | -
    Harbour.Lights.2014.1080p.x264.mkv | - | - | -
    20240520 - The Pier.mkv | 2024-05-20 | - | The Pier
    20240520_The_Pier.mkv | 2024-05-20 | - | The Pier
    # several episodes
    Harbour.Lights.S01E01+02.720p.mkv | S1E1-2 | Harbour Lights | -
    Harbour.Lights.S01E01.and.S01E02.720p.mkv | S1E1-2 | Harbour Lights | -
    Harbour.Lights.-.476-479.[720p].mkv | #476-479 | Harbour Lights | -
    # lectures
    Algebra/Lecture 07 - Rings.mkv | #7 | Algebra | Rings
    Algebra/Lec 3.mkv | #3 | Algebra | -
    Algebra/Lesson 4 - Fields.mkv | #4 | Algebra | Fields
    Algebra/Part 2.mkv | #2 | Algebra | -
    Algebra/Week 1 Lecture 2.mkv | S1E2 | Algebra | -
    Algebra/Week 3/Lecture 2 - Ideals.mkv | S3E2 | Algebra | Ideals
    Algebra/01 Groups.mkv | #1 | Algebra | Groups
    Algebra/1.2 Subgroups.mkv | S1E2 | Algebra | Subgroups
    Algebra/Week 3/1.2 Subgroups.mkv | S3E2 | Algebra | Subgroups
    Algebra/Algebra - Lecture 7 - Rings.mkv | #7 | Algebra | Rings
    00001-The Pier.mkv | - | - | The Pier
    Lights/00012 - The Pier.mkv | - | Lights | The Pier
    # films and titles that end with a number
    21 (2008)/21.(2008).DVDRip.mkv | - | 21 (2008) | -
    Films/21 (2008)/21 (2008).mkv | - | 21 (2008) | -
    Films/Open Season 2 (2008)/Open Season 2 (2008).mkv | - | Open Season 2 (2008) | -
    Films/Open Season 2 (2008).mkv | - | Films | -
    Films/Harbour 2 (2008).mkv | - | Films | -
    Films/Agent 007.mkv | - | Films | -
    Films/Harbour.13.720p.mkv | - | Films | -
    Films/Harbour.2013.720.x264.mkv | - | Films | -
    Films/Harbour Part 3.mkv | - | Films | -
    Films/Galaxy S20 review.mkv | - | Films | -
    Films/12 Sailors.mkv | - | Films | -
    # tags of programs at the end
    Lights/Lights - S01E02 - The Pier WEBDL-1080p Proper.mkv | S1E2 | Lights | The Pier
    Lights/Lights - S01E02 - The Pier {imdb-tt0123456}.mkv | S1E2 | Lights | The Pier
    Harbour_Lights_Series_7_-_1._The_Pier_b01nnwkx_original.mp4 | S7E1 | Harbour Lights | The Pier
    """

  private static let rows = table.split(separator: "\n").filter { !$0.hasPrefix("#") }

  private func reading(_ path: String) -> String {
    let name = EpisodeFileName(path)
    var place = name.date?.description ?? ""
    if let season = name.season { place += "S\(season)" }
    if let number = name.number { place += "E\(number)" }
    if let absolute = name.absolute { place += "#\(absolute)" }
    if let last = name.numbers.last { place += "-\(last)" }
    if name.isExtra { place += "!" }
    let columns = [place, name.showTitle ?? "", name.title ?? ""].map { $0.isEmpty ? "-" : $0 }
    return ([path] + columns).joined(separator: " | ")
  }

  @Test func `each name of the table is read as it says`() {
    #expect(Self.rows.count > 80)
    for row in Self.rows {
      let path = row.split(separator: "|").first.map { String($0.dropLast()) } ?? ""
      #expect(reading(path) == row)
    }
  }

  @Test func `season and number of one number are a guess`() {
    #expect(EpisodeFileName("harbour.lights.208.hdtv.mkv").isGuess)
    #expect(!EpisodeFileName("harbour.lights.s02e08.hdtv.mkv").isGuess)
  }

  @Test func `numbers without a zero count beside files that begin with numbers`() {
    #expect(EpisodeFileName.isNumbered(["01 Groups.mkv", "10 Rings.mkv"]))
    #expect(!EpisodeFileName.isNumbered(["12 Sailors.mkv", "21 (2008).mkv", "007 Agent.mkv"]))
    let name = EpisodeFileName("Algebra/10 Rings.mkv", isNumbered: true)
    #expect(name.absolute == 10 && name.title == "Rings" && name.showTitle == "Algebra")
    #expect(!EpisodeFileName("Algebra/10 Rings.mkv").hasPlace)
  }

  @Test func `ids of catalogues are no title`() {
    #expect(EpisodeFileName("Films/Harbour (2008) {imdb-tt01}.mkv").plainStem == "Harbour (2008)")
  }
}
