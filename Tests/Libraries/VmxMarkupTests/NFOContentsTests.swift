import Testing
import VmxModel

@testable import VmxMarkup

struct NFOContentsTests {
  private func contents(_ text: String) throws -> NFOContents { try NFOContents(Array(text.utf8)) }

  private func only(_ text: String) throws -> NFODocument {
    let contents = try contents(text)
    #expect(contents.documents.count == 1)
    return try #require(contents.documents.first)
  }

  private func title(_ bytes: [UInt8]) throws -> String? {
    try NFOContents(bytes).documents.first?.title
  }

  @Test func `the known fields of an episode are read`() throws {
    var wanted = NFODocument(kind: .episode)
    wanted.title = "The Rabbit"
    wanted.originalTitle = "Králík"
    wanted.showTitle = "Meadow & Tales"
    wanted.season = 1
    wanted.number = 2
    wanted.lastNumber = 3
    wanted.date = CalendarDay("2024-05-20")
    wanted.year = 2024
    wanted.summary = "One <two>."
    wanted.ids = ["tvmaze": "42", "tvdb": "7", "imdb": "tt1"]
    wanted.duration = 2_700_000
    wanted.rating = 7.5
    wanted.playCount = 2
    wanted.isWatched = true
    wanted.position = 61_500
    wanted.unkept = ["uniqueid", "originaltitle", "actor", "ratings"]
    let document = try only(
      """
      <?xml version="1.0" encoding="UTF-8"?><episodedetails><title> The Rabbit </title>
      <originaltitle>Králík</originaltitle><showtitle>Meadow &amp; Tales</showtitle>
      <season>1</season><episode>2</episode><episodenumberend>3</episodenumberend>
      <outline>Short</outline><plot>One <![CDATA[<two>]]>.</plot><premiered>2023-01-01</premiered>
      <aired>2024-05-20</aired><year>2024</year><runtime>45 min</runtime><playcount>2</playcount>
      <uniqueid type="TVMaze">42</uniqueid><uniqueid>9</uniqueid><tvdbid>7</tvdbid><imdb_id>tt1</imdb_id>
      <ratings><rating name="a"><value>3</value></rating>
      <rating name="b" default="true"><value>7,5</value></rating></ratings><unknown>x</unknown>
      <actor><name>N</name><thumb>t</thumb></actor><resume><position>61.5</position></resume>
      </episodedetails>
      """)
    #expect(document == wanted)
  }

  @Test func `a show has ids from its guide`() throws {
    let show = try only(
      #"<tvshow><title>S</title><id>tt9</id><episodeguide>{"tvmaze": "42", "tvdb":"1"}"#
        + "</episodeguide></tvshow>")
    #expect(show.kind == .show && show.ids == ["imdb": "tt9", "tvmaze": "42", "tvdb": "1"])
  }

  @Test(arguments: [("season", NFODocument.Kind.season), ("movie", .movie), ("TVShow", .show)])
  func `seasons and films are told by their root`(root: String, kind: NFODocument.Kind) throws {
    #expect(try only("<\(root)><title>A</title></\(root)>").kind == kind)
  }

  @Test func `what has no value, or an impossible one, is not known`() throws {
    let document = try only(
      """
      <episodedetails><title/><season>-1</season><episode>x</episode><aired>soon</aired>
      <runtime>0</runtime><rating>11</rating><playcount>0</playcount><plot> </plot>
      <runtime>99999999999999999999</runtime><resume><position>1e400</position></resume></episodedetails>
      """)
    var wanted = NFODocument(kind: .episode)
    wanted.playCount = 0
    wanted.isWatched = false
    wanted.unkept = ["rating"]
    #expect(document == wanted)
  }

  @Test(arguments: ["1970-01-01", "1601-01-01"])
  func `the day that Kodi writes without a date is none`(_ day: String) throws {
    let text = "<episodedetails><aired>\(day)</aired><premiered>\(day)</premiered></episodedetails>"
    #expect(try only(text).date == nil)
  }

  @Test func `several documents stand in one file, with links behind them`() throws {
    let contents = try contents(
      """
      \u{FEFF}<?xml version="1.0"?><episodedetails><title>One</title></episodedetails>
      <?xml version="1.0"?><episodedetails><title>Two</title></episodedetails><episodedetails/>
      https://www.thetvdb.com/?tab=series&id=12 http://example.org/x
      """)
    #expect(contents.documents.map(\.title) == ["One", "Two", nil])
    #expect(contents.isWellFormed)
  }

  @Test(arguments: [
    "", " \n\t", "░▒▓ RELEASE ▓▒░\n< GROUP >", "<", "<!-- nothing -->",
    "<html><body>Log in</body></html>", "\0\u{1}\u{2}", "<?xml version=\"1.0\"?>",
    "https://www.imdb.com/title/tt0944947/", "look: http://thetvdb.com/series/121361 <",
  ])
  func `any other text has no documents`(text: String) throws {
    #expect(try contents(text).documents.isEmpty)
  }

  @Test func `a file beyond the limit is not read`() throws {
    let room = NFOContents.maxBytes - "<tvshow></tvshow>".utf8.count
    let text = "<tvshow>" + String(repeating: " ", count: room) + "</tvshow>"
    #expect(try contents(text).documents.count == 1)
    #expect(try contents(text + " ").documents.isEmpty)
  }

  @Test func `bytes are decoded by mark, validity, declaration and language of the west`() throws {
    let text = "<episodedetails><title>Été ‘z’</title></episodedetails>"
    let declared = { (name: String) in Array("<?xml version='1.0' encoding='\(name)'?>".utf8) }
    let utf16 = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let windows: [UInt8] = text.unicodeScalars.map { scalar in
      ["‘": 0x91, "’": 0x92][scalar] ?? UInt8(scalar.value)
    }
    let all = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8, [0xFF, 0xFE] + utf16, utf16,
      [0xFF, 0xFE] + utf16 + [0],
      windows, declared("UTF-8") + windows, declared("iso-8859-1") + windows,
      declared("iso-8859-1") + text.utf8,
      declared("nonsense") + windows, declared("utf-16") + text.utf8,
    ]
    for bytes in all { #expect(try title(bytes) == "Été ‘z’", "\(bytes.prefix(50))") }
    let russian = declared("windows-1251") + Array("<tvshow><title>".utf8) + [0xCC, 0xE8, 0xF0]
    #expect(try title(russian + Array("</title></tvshow>".utf8)) == "Мир")
    let odd = Array("<tvshow><title>".utf8) + [0x81, 0xE9] + Array("</title></tvshow>".utf8)
    #expect(try title(odd) == "\u{81}é")
  }

  @Test(arguments: [
    ("a&nbsp;b &eacute;", "a\u{A0}b é"), ("Fish & Chips &c.", "Fish & Chips &c."),
    ("&unknown; &amp; &#233; &#xE9;", "&unknown; & é é"),
    ("<![CDATA[a &nbsp; <b>]]>", "a &nbsp; <b>"),
    ("a<!-- &nbsp; -->b", "ab"), ("x\u{1}\u{8}y", "xy"), ("a<br/>b", "ab"),
    ("&lt;i&gt; &quot;&apos;", "<i> \"'"),
  ])
  func `entities of HTML and stray characters are understood`(text: String, title: String) throws {
    let document = try only("<movie><title>\(text)</title></movie>")
    #expect(document.title == title)
  }

  @Test func `attributes are decoded as text is`() throws {
    let document = try only("<movie><uniqueid type='a&eacute;&amp;&zwj;'>1</uniqueid></movie>")
    #expect(document.ids == ["aé&\u{200D}": "1"])
  }

  @Test(arguments: [
    "<episodedetails><title>A</title><plot>cut",
    "<episodedetails><title>A</title><plot>x</wrong></episodedetails>",
    "<episodedetails><title>A</title><plot a=b>x</plot></episodedetails>",
    "<episodedetails><title>A</title><plot>&#0;</plot></episodedetails>",
  ])
  func `a damaged document keeps what was read`(text: String) throws {
    let contents = try contents(text)
    #expect(contents.documents.first?.title == "A" && !contents.isWellFormed)
  }

  @Test func `what vmx writes is read back`() throws {
    var episode = Episode(
      id: try EpisodeID("show/s01e02"), title: "A < B & \"C\"", showTitle: "Show",
      added: Timestamp(seconds: 0), parts: [])
    episode.season = 1
    episode.number = 2
    episode.date = CalendarDay("2024-05-20")
    episode.summary = "Two\nlines ]]>"
    let document = try #require(try NFOContents(EpisodeNFO.bytes(of: episode)).documents.first)
    #expect(document.title == episode.title && document.showTitle == "Show")
    #expect(document.season == 1 && document.number == 2 && document.date == episode.date)
    #expect(document.summary == episode.summary && document.ids == ["vmx": "show/s01e02"])
  }

  @Test(arguments: [
    ("<title>A</title><plot>p</plot><uniqueid type=\"vmx\">a/b</uniqueid>", []),
    ("<genre>Nature</genre><actor><name>N</name></actor>", ["actor", "genre"]),
    ("<userrating>9</userrating><uniqueid type=\"tvdb\">7</uniqueid>", ["uniqueid", "userrating"]),
    ("<ratings><rating name=\"a\"><value>7</value></rating></ratings>", ["ratings"]),
    ("<userrating></userrating>", []),
  ]) func `elements that no field holds are named`(text: String, names: [String]) throws {
    let bytes = Array("<episodedetails>\(text)</episodedetails>".utf8)
    #expect(try NFOContents(bytes).documents.first?.unkept.sorted() == names)
  }

  // Regression: the year of a date that Kodi writes for want of one was taken as one.
  @Test(arguments: ["1970-01-01", "1601-01-01"])
  func `a date that stands for none is none`(day: String) throws {
    let year = day.prefix(4)
    let fields = "<premiered>\(day)</premiered><aired>\(day)</aired><year>\(year)</year>"
    let played = "<playcount>1</playcount><lastplayed>\(day) 00:00:00</lastplayed>"
    for kind in NFODocument.Kind.allCases.map(\.rawValue) {
      let document = try only("<\(kind)>\(fields)\(played)</\(kind)>")
      #expect(document.date == nil && document.year == nil && document.lastPlayed == nil)
      #expect(document.isWatched == true)
    }
    #expect(try only("<movie><year>\(year)</year></movie>").year == Int64(year))
    #expect(CalendarDay(ofProgram: "1970-01-02 10:00:00") == CalendarDay("1970-01-02"))
  }
}
