import SystemPackage
import Testing
import VmxMarkup
import VmxModel
import VmxTestSupport

@testable import VmxMigrating

@Suite(.enabled(if: Databases.program != nil, Comment(rawValue: Databases.absence)))
struct ForeignDatabaseTests {
  private func read(_ name: String, _ statements: String, named: Bool) throws -> Read {
    let scratch = try ScratchFolder()
    try Databases.make(scratch.path(name), statements)
    let path = named ? scratch.path(name) : scratch.path
    let inputs = LegacyInput.inputs([path.string], of: nil) { FilePath($0) }
    return Read(try inputs.flatMap { try $0.findings(Databases.tools()) }, below: scratch.path)
  }

  // Regression: a database that was named by hand was "1 unchanged", with status 0.
  @Test func `a database of gPodder outside its home folder is refused with what to do`() throws {
    let tables = "CREATE TABLE episode (podcast_id, download_filename)"
    #expect(try read("copy.db", tables, named: true).refused == ["copy.db": .sourceUnsupported])
  }

  private static let antennaPod = """
    CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title, custom_title, download_url, username, password);
    CREATE TABLE FeedItems (id INTEGER PRIMARY KEY, title, pubDate INTEGER, read INTEGER, link,
      description, feed INTEGER, item_identifier);
    CREATE TABLE FeedMedia (id INTEGER PRIMARY KEY, duration INTEGER, download_url,
      position INTEGER, mime_type, playback_completion_date INTEGER, feeditem INTEGER,
      last_played_time INTEGER);
    CREATE TABLE Queue (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
    CREATE TABLE Favorites (id INTEGER PRIMARY KEY, feeditem INTEGER, feed INTEGER);
    INSERT INTO Feeds VALUES (1, 'Wonders', 'My Wonders', 'https://example.org/f.xml', 'anna', 'x');
    INSERT INTO FeedItems VALUES (1, 'One', 1714500000000, 1, '', 'Text', 1, 'g1'),
      (2, 'Two', 1714600000000, 0, '', '', 1, 'g2'), (3, 'Three', 0, -1, '', '', 1, 'g3'),
      (4, 'Sound', 0, 0, '', '', 1, 'g4');
    INSERT INTO FeedMedia VALUES (1, 60000, 'https://example.org/1.mp4', 0, 'video/mp4', 0, 1, 0),
      (2, 60000, 'https://example.org/2.mp4', 2000, 'video/mp4', 0, 2, 1730000000000),
      (3, 0, 'https://example.org/3.mp4', 0, 'video/mp4', 0, 3, 0),
      (4, 0, 'https://example.org/4.mp3', 0, 'audio/mpeg', 0, 4, 0);
    INSERT INTO Queue VALUES (1, 3, 1);
    INSERT INTO Favorites VALUES (1, 2, 1);
    """

  @Test(arguments: [true, false]) func `a database of AntennaPod has items with marks and queue`(
    named: Bool
  ) throws {
    let read = try read("AntennaPodBackup.db", Self.antennaPod, named: named)
    let found = Dictionary(uniqueKeysWithValues: read.episodes.map { ($0.description.title, $0) })
    let (one, two, three) = try (
      #require(found["One"]), #require(found["Two"]), #require(found["Three"])
    )
    #expect(read.episodes.count == 4 && read.refused.isEmpty && read.left.isEmpty)
    #expect(one.description.showTitle == "My Wonders" && one.description.summary == "Text")
    #expect(one.description.isWatched == true && one.description.date == CalendarDay("2024-04-30"))
    let key = IdentityKey.feedItem(feed: "https://example.org/f.xml", guid: "g1")
    #expect(one.identity == [key] && one.status == .known)
    #expect(two.played.position == 2000 && two.description.isKept == true)
    #expect(two.played.lastPlayed == Timestamp(milliseconds: 1_730_000_000_000))
    #expect(three.status == .requested && three.description.date == nil)
  }

  private static let newsboat = """
    CREATE TABLE rss_feed (rssurl VARCHAR(1024) PRIMARY KEY NOT NULL, url VARCHAR(1024) NOT NULL,
      title VARCHAR(1024) NOT NULL);
    CREATE TABLE rss_item (id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, guid VARCHAR(64) NOT NULL,
      title VARCHAR(1024) NOT NULL, author VARCHAR(1024) NOT NULL, url VARCHAR(1024) NOT NULL,
      feedurl VARCHAR(1024) NOT NULL, pubDate INTEGER NOT NULL, content VARCHAR(65535) NOT NULL,
      unread INTEGER(1) NOT NULL, enclosure_url VARCHAR(1024), enclosure_type VARCHAR(1024),
      enqueued INTEGER(1) NOT NULL DEFAULT 0, flags VARCHAR(52),
      deleted INTEGER(1) NOT NULL DEFAULT 0);
    INSERT INTO rss_feed VALUES ('https://example.org/f.xml', 'https://example.org/', 'News');
    INSERT INTO rss_item (guid, title, author, url, feedurl, pubDate, content, unread,
      enclosure_url, enclosure_type, enqueued, flags, deleted) VALUES
      ('g1', 'Read', '', '', 'https://example.org/f.xml', 1714500000, '<p>A &amp; B</p>', 0,
        'https://example.org/1.mp4', 'video/mp4', 1, 'ab', 0),
      ('g2', 'Queued', '', '', 'https://example.org/f.xml', 1714600000, '', 1,
        'https://example.org/2.mp4', 'video/mp4', 1, '', 0),
      ('g3', 'Deleted', '', '', 'https://example.org/f.xml', 0, '', 1,
        'https://example.org/3.mp4', '', 0, NULL, 1),
      ('g4', 'Article', '', '', 'https://example.org/f.xml', 0, 'words', 1, '', '', 0, '', 0);
    """

  @Test func `newsboat has read and flagged items, and podboat a queue`() throws {
    let scratch = try ScratchFolder()
    try Databases.make(scratch.path("cache.db"), Self.newsboat)
    try scratch.write(
      "queue",
      """
      https://example.org/1.mp4 "/home/a/1.mp4" finished
      https://example.org/2.mp4 "/home/a/my 2.mp4"
      https://example.org/9.mp4 "/home/a/9.mp4" downloaded

      """)
    let inputs = LegacyInput.inputs([scratch.path.string], of: nil) { FilePath($0) }
    let findings = try inputs.flatMap { try $0.findings(Databases.tools()) }
    let read = Read(findings, below: scratch.path)
    let found = Dictionary(
      uniqueKeysWithValues: read.episodes.map { ($0.description.title ?? "", $0) })
    #expect(Set(found.keys) == ["Read", "Queued", "Deleted", ""] && read.left.isEmpty)
    let first = try #require(found["Read"])
    #expect(first.description.isWatched == true && first.description.isKept == true)
    #expect(first.description.summary == "A & B" && first.status == .known)
    #expect(first.description.date == CalendarDay("2024-04-30"))
    let key = IdentityKey.feedItem(feed: "https://example.org/f.xml", guid: "g1")
    #expect(first.identity == [key])
    #expect(found["Queued"]?.status == .requested && found["Queued"]?.description.isWatched == nil)
    #expect(found["Deleted"]?.status == .removed && found[""]?.status == .known)
    let subscriptions = findings.compactMap { finding in
      if case .subscriptions(_, let urls) = finding { urls } else { nil }
    }
    #expect(subscriptions == [["https://example.org/f.xml"]])
  }

  // The tables of castero 0.9, by its migrations 1 to 4.
  @Test func `files that are too large to be read are refused one by one`() throws {
    let scratch = try ScratchFolder()
    try scratch.write("queue", String(repeating: "x", count: 8 << 20 | 1))
    let position = "watch_later/\(String(repeating: "A", count: 32))"
    try scratch.write(position, String(repeating: "x", count: 64 << 10 | 1))
    let inputs = LegacyInput.inputs([scratch.path.string], of: nil) { FilePath($0) }
    let read = Read(try inputs.flatMap { try $0.findings(Databases.tools()) }, below: scratch.path)
    #expect(Set(read.refused.keys) == ["queue", position])
    #expect(read.episodes.isEmpty && read.left.isEmpty)
  }

  private static let castero = """
    CREATE TABLE feed (key text primary key, title text, description text, link text,
      last_build_date text, copyright text);
    CREATE TABLE episode (id integer primary key, feed_key text, title text, description text,
      link text, pubdate text, copyright text, enclosure text, played bit default 0);
    CREATE TABLE queue (id integer primary key, ep_id integer);
    CREATE TABLE progress (id integer primary key, time integer, ep_id integer UNIQUE);
    INSERT INTO feed VALUES ('https://example.org/f.xml', 'Wonders', '', '', '', '');
    INSERT INTO episode VALUES
      (1, 'https://example.org/f.xml', 'One', 'Text', '', 'Wed, 1 May 2024 20:00:00 +0000', '',
        'https://example.org/1.mp4', 1),
      (2, 'https://example.org/f.xml', 'Two', '', '', '', '', 'https://example.org/2.mp4', 0);
    INSERT INTO queue VALUES (1, 2);
    INSERT INTO progress VALUES (1, 61000, 2);
    """

  @Test func `castero has played items, positions and a queue`() throws {
    let read = try read("castero.db", Self.castero, named: true)
    let (one, two) = (try #require(read.episodes.first), try #require(read.episodes.last))
    #expect(read.episodes.count == 2 && read.refused.isEmpty)
    #expect(one.description.date == CalendarDay("2024-05-01") && one.status == .known)
    #expect(one.description.isWatched == true && one.description.showTitle == "Wonders")
    #expect(two.status == .requested && two.played.position == 61_000)
  }

  @Test func `subscriptions of databases have titles, users and passwords`() throws {
    let scratch = try ScratchFolder()
    for (name, statements) in [
      ("a.db", Self.antennaPod), ("n.db", Self.newsboat), ("c.db", Self.castero),
    ] {
      try Databases.make(scratch.path(name), statements)
    }
    func feeds(_ name: String) throws -> [SubscriptionList.Feed]? {
      try SubscriptionList(database: scratch.path(name), Databases.tools())?.feeds
    }
    let url = "https://example.org/f.xml"
    #expect(
      try feeds("a.db") == [
        SubscriptionList.Feed(title: "My Wonders", url: url, user: "anna", password: "x")
      ])
    #expect(try feeds("n.db") == [SubscriptionList.Feed(title: "News", url: url)])
    #expect(try feeds("c.db") == [SubscriptionList.Feed(title: "Wonders", url: url)])
    try scratch.write("list", "https://example.org/f.xml")
    #expect(try feeds("list") == nil)
    try Databases.make(scratch.path("x.db"), "CREATE TABLE notes (id)")
    let failure = #expect(throws: Failure.self) { try feeds("x.db") }
    #expect(failure?.code == .sourceUnsupported)
  }

  private static let kodi = """
    CREATE TABLE files (idFile integer primary key, idPath integer, strFilename text,
      playCount integer, lastPlayed text, dateAdded text);
    CREATE TABLE bookmark (idBookmark integer primary key, idFile integer, timeInSeconds double,
      totalTimeInSeconds double, thumbNailImage text, player text, playerState text, type integer);
    CREATE TABLE tvshow (idShow integer primary key, c00 text);
    CREATE TABLE episode (idEpisode integer primary key, idFile integer, c00 text, c05 varchar(24),
      c12 varchar(24), c13 varchar(24), idShow integer);
    CREATE TABLE movie (idMovie integer primary key, idFile integer, c00 text,
      premiered text);
    CREATE TABLE streamdetails (idFile integer, iStreamType integer, iVideoDuration integer);
    INSERT INTO files VALUES (1, 1, 'Show - S01E01.mkv', 2, '2024-05-01 20:15:00', ''),
      (2, 1, 'Show - S01E02.mkv', NULL, '2024-05-02 20:15:00', ''), (3, 1, 'c.mkv', NULL, '', ''),
      (4, 2, 'Film (2020).mkv', 1, '', '');
    INSERT INTO bookmark VALUES (1, 2, 61.5, 100, '', '', '', 1), (2, 3, 5, 100, '', '', '', 0);
    INSERT INTO tvshow VALUES (1, 'Show');
    INSERT INTO episode VALUES (1, 1, 'One', '2020-01-01', '1', '1', 1),
      (2, 2, 'Two', '', '1', '2', 1), (3, 3, 'Three', '', '1', '3', 1);
    INSERT INTO movie VALUES (1, 4, 'Film', '2020-03-28');
    INSERT INTO streamdetails VALUES (4, 1, NULL), (4, 0, 5400);
    """

  @Test func `Kodi has marks of the videos that were played`() throws {
    let read = try read("MyVideos131.db", Self.kodi, named: false)
    #expect(read.refused.isEmpty && read.episodes.allSatisfy(\.isOnlyMarks))
    let found = Dictionary(
      uniqueKeysWithValues: read.episodes.map { ($0.description.title ?? "", $0) })
    #expect(Set(found.keys) == ["One", "Two", "Film"])
    let one = try #require(found["One"])
    #expect(one.description.showTitle == "Show" && one.description.number == 1)
    #expect(one.description.isWatched == true && one.played.lastPlayed != nil)
    #expect(found["Two"]?.played.position == 61_500)
    #expect(found["Film"]?.description.fileName == "Film (2020)")
    #expect(found["Film"]?.description.showTitle == "Film (2020)")
    #expect(found["Film"]?.description.measuredDuration == 5_400_000)
  }

  @Test func `a database of Kodi is recognised whatever else its schema has`() throws {
    let tables = (0..<200).map { number in
      "CREATE TABLE a\(number) (id integer primary key, n);"
    }
    let views = (0..<30).map { number in
      "CREATE VIEW v\(number) AS SELECT '\(String(repeating: "x", count: 2500))' AS x;"
    }
    let read = try read(
      "MyVideos131.db", (tables + views).joined() + Self.kodi, named: false)
    #expect(read.refused.isEmpty && read.episodes.count == 3)
  }

  @Test func `mpv has positions of the videos that it names`() throws {
    let scratch = try ScratchFolder()
    let name = "0123456789ABCDEF0123456789ABCDE"
    try scratch.write(
      "watch_later/\(name)0",
      "# /v/Show/Season 1/Show - S01E02 - A.mkv\nstart=61.500000\npause=yes\n")
    try scratch.write("watch_later/\(name)1", "start=3.000000\n")
    let inputs = LegacyInput.inputs([scratch.path("watch_later").string], of: nil) { FilePath($0) }
    let read = Read(
      try inputs.flatMap { try $0.findings(Databases.tools()) }, below: scratch.path)
    let episode = try #require(read.episodes.first)
    #expect(read.episodes.count == 1 && read.left.count == 1 && episode.isOnlyMarks)
    #expect(episode.description.showTitle == "Show" && episode.description.number == 2)
    #expect(episode.played.position == 61_500)
  }

  @Test func `an unknown database is refused only if the user names it`() throws {
    let tables = "CREATE TABLE notes (id)"
    #expect(try read("notes.db", tables, named: true).refused == ["notes.db": .sourceUnsupported])
    #expect(try read("notes.db", tables, named: false).left == ["notes.db": .noPart])
  }
}
