import Glibc
import SystemPackage
import Testing
import VmxMarkup
import VmxModel
import VmxSystem
import VmxTestSupport

@testable import VmxMigrating

/// Databases created with the program `sqlite3`.
enum Databases {
  static let program: FilePath? = {
    let places: [String] = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
    return places.first { access($0, X_OK) == 0 }.map { FilePath($0) }
  }()
  static let absence = "the program sqlite3 is not installed"

  static func tools(_ program: FilePath? = Self.program) -> LegacyTools {
    LegacyTools(scratch: "/tmp") { $0 == "sqlite3" ? program : nil }
  }

  static func make(_ file: FilePath, _ statements: String...) throws {
    let program = try #require(program)
    let output = try SpawnedProgram.captureOutput(
      of: ProgramCall(program, [file.string] + statements, environment: []), limit: 4096,
      until: Deadline(milliseconds: 600_000))
    guard case .ended(.exited(0), _, _) = output else {
      throw Failure(.programFailed, "sqlite3: \(output)")
    }
  }
}

@Suite(.enabled(if: Databases.program != nil, Comment(rawValue: Databases.absence)))
struct CoreDataReaderTests {
  private static let tables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_PLIST BLOB);
    CREATE TABLE ZDOWNLOAD (Z_PK INTEGER PRIMARY KEY, ZSTATE INTEGER, ZTITLE VARCHAR,
      ZREMOTEURL VARCHAR, ZFILENAME VARCHAR, ZLICENSEEXPIRES TIMESTAMP, ZDRMKEY BLOB,
      ZRESUMEDATA BLOB, ZSHOWTITLE VARCHAR);
    """
  private static let id = "6E1F0F8A-0000-4000-8000-00000000A001"
  private static let resume = """
    <plist><dict><key>NSURLSessionDownloadURL</key><string>https://example.org/b.mp4</string>
    <key>NSURLSessionResumeInfoTempFileName</key><string>c.tmp</string></dict></plist>
    """

  private static func hex(_ text: String) -> String { Hex.text(of: text.utf8) }

  private static func store() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try scratch.write("files/a.mp4", "bytes")
    try scratch.write("tmp/c.tmp", "0123")
    try scratch.write(".Store_SUPPORT/_EXTERNAL_DATA/\(id)", resume)
    try Databases.make(
      scratch.path("Store.sqlite"),
      tables + """
        INSERT INTO ZDOWNLOAD VALUES (1, 3, 'A "quoted" Ú', 'https://example.org/a.mp4', 'a.mp4',
          604922400.0, X'0141', NULL, 'Show');
        INSERT INTO ZDOWNLOAD VALUES (2, 2, 'B', 'https://example.org/b.mp4', NULL, NULL, NULL,
          X'02\(hex(id))00', 'Show');
        INSERT INTO ZDOWNLOAD VALUES (3, 2, 'C', 'https://example.org/c.mp4', NULL, NULL, NULL,
          X'02\(hex(id.replacing("A001", with: "A002")))', 'Show');
        INSERT INTO ZDOWNLOAD VALUES (4, 4, CAST(X'44FF' AS TEXT), 'https://example.org/d.mp4', NULL,
          9e999, NULL, NULL, NULL);
        INSERT INTO ZDOWNLOAD (Z_PK) VALUES (9);
        """)
    return scratch
  }

  @Test func `rows become episodes, with dates since 2001 and bytes from files`() throws {
    let scratch = try Self.store()
    let found = try FoundEpisodes(CoreDataReader(Databases.tools()), scratch.path)
    let first = try found.episode("A \"quoted\" Ú")
    #expect(first.status == .downloaded)
    #expect(first.description.expires == Timestamp("2020-03-03T10:00:00Z"))
    #expect(first.files.first { $0.part == "key" }?.contents == [0x41])
    let second = try found.episode("B")
    #expect(second.status == .requested && second.partial?.completedRanges.count == 4)
    #expect(try found.episode("D\u{FFFD}").status == .requested)
    // The third row has no file for its bytes; the last one contains nothing.
    #expect(found.refused == [.recordUnreadable, .recordUnreadable])
    #expect(found.episodes.count == 3)
  }

  @Test func `what has more rows or bytes than are read is refused`() throws {
    let scratch = try Self.store()
    let file = try SQLiteFile(scratch.path("Store.sqlite"), Databases.tools())
    let table = try #require(try file.tables().first { $0.name == "ZDOWNLOAD" })
    var titles: [String] = []
    func read(_ most: Int) throws {
      titles = []
      try file.forEachRow(of: table, ["ZTITLE"], most: most) { row in
        titles.append(row.first?.value.string ?? "none")
      }
    }
    try read(5)
    #expect(titles.count == 5)
    let failure = #expect(throws: Failure.self) { try read(2) }
    #expect(failure?.code == .recordUnreadable)
    #expect(titles.count == 2)
    // A file of external data that is one byte too long.
    let blobs = CoreDataBlobs(scratch.path("Store.sqlite"))
    let value = [2] + Array(Self.id.utf8)
    #expect(try blobs.bytes(of: value) == Array(Self.resume.utf8))
    let path = ".Store_SUPPORT/_EXTERNAL_DATA/\(Self.id)"
    try scratch.write(path, [UInt8](repeating: 0, count: 16 << 20 | 1))
    #expect(throws: Failure.self) { try blobs.bytes(of: value) }
  }

  @Test func `rows that are only in the log are read, and the source stays as it is`() throws {
    let scratch = try ScratchFolder()
    let live = scratch.path("live.sqlite")
    // A connection that is killed leaves its write-ahead log behind.
    try Databases.make(
      live,
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; \(Self.tables)
      INSERT INTO ZDOWNLOAD (ZSTATE, ZTITLE, ZREMOTEURL) VALUES (1, 'New', 'https://e.org/a.mp4');
      """,
      ".shell cp '\(live)' '\(scratch.path("a.db"))'",
      ".shell cp '\(live)-wal' '\(scratch.path("a.db-wal"))'")
    for ending in ["", "-wal", "-shm"] { try RegularFile.remove(FilePath("\(live)\(ending)")) }
    let names = try LegacyFolder(scratch.path).files.map(\.name)
    #expect(names == ["a.db", "a.db-wal"])
    let before = try scratch.bytes("a.db-wal")
    let found = try FoundEpisodes(CoreDataReader(Databases.tools()), scratch.path)
    #expect(found.episodes.map(\.description.title) == ["New"])
    #expect(found.left.isEmpty)
    #expect(try LegacyFolder(scratch.path).files.map(\.name) == names)
    #expect(try scratch.bytes("a.db-wal") == before)
  }

  @Test func `cut and changed databases are refused or read`() throws {
    let scratch = try Self.store()
    let whole = try scratch.bytes("Store.sqlite")
    for count in stride(from: 16, to: whole.count, by: 1777) {
      try scratch.write("Store.sqlite", Array(whole.prefix(count)))
      _ = try FoundEpisodes(CoreDataReader(Databases.tools()), scratch.path)
    }
    for index in stride(from: 16, to: whole.count, by: 611) {
      var bytes = whole
      bytes[index] ^= 0xFF
      try scratch.write("Store.sqlite", bytes)
      _ = try FoundEpisodes(CoreDataReader(Databases.tools()), scratch.path)
    }
  }

  @Test func `without sqlite3 the failure says so`() throws {
    let scratch = try Self.store()
    let failure = #expect(throws: Failure.self) {
      try CoreDataReader(Databases.tools(nil)).findings(in: LegacyFolder(scratch.path))
    }
    #expect(failure?.code == .programMissing)
  }

  @Test func `a folder with such a store is told by it`() throws {
    let scratch = try Self.store()
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path)) == .coreData)
  }
}

@Suite(.enabled(if: Databases.program != nil, Comment(rawValue: Databases.absence)))
struct GPodderReaderTests {
  private static let statements = """
    CREATE TABLE podcast (id INTEGER PRIMARY KEY, title TEXT, url TEXT, auth_password TEXT,
      download_folder TEXT, section TEXT);
    CREATE TABLE episode (id INTEGER PRIMARY KEY, podcast_id INTEGER, title TEXT, description TEXT,
      url TEXT, published INTEGER, guid TEXT, file_size INTEGER, mime_type TEXT, state INTEGER,
      is_new INTEGER, archive INTEGER, download_filename TEXT, total_time INTEGER);
    INSERT INTO podcast VALUES (1, 'News: daily', 'https://u:secret@example.org/f', 'secret',
      'News_ daily', 'Video');
    INSERT INTO episode VALUES
      (1, 1, 'Held', 'text', 'https://example.org/1.mp4', 1585645200, 'g1', 5, 'video/mp4', 1, 0, 1,
        'one.mp4', 61),
      (2, 1, 'Lost', '', 'https://example.org/2.mp4', 1585645300, 'g2', 9, 'video/mp4', 1, 1, 0,
        'two.mp4', 0),
      (3, 1, 'Deleted', '', 'https://example.org/3.mp4', 1585040400, 'g3', -1, 'video/mp4', 2, 1, 0,
        NULL, 0),
      (4, 1, 'Known', '', 'https://example.org/one.mp4', 1584040400, 'g4', 77, '', 0, 1, 0, NULL, 0),
      (5, 1, 'Orphan', '', 'https://example.org/x/five.mp4', 1583040400, 'g5', -1, 'video/mp4', 0, 1,
        0, NULL, 0),
      (6, 1, 'Begun', '', 'https://example.org/6.mp4', 1582040400, 'g6', -1, 'video/mp4', 0, 1, 0,
        'six.mp4', 0),
      (7, 1, 'Music', '', 'https://example.org/7.mp3', 1581040400, 'g7', 5, 'audio/mpeg', 1, 1, 0,
        '7.mp3', 0),
      (8, 9, 'Nobody', '', 'https://example.org/8.mp4', 0, 'g8', 5, 'video/mp4', 1, 1, 0, '', 0);
    """

  private static func home() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    for name in ["one.mp4", "five.mp4", "7.mp3", "other.mp4", "six.mp4.partial"] {
      try scratch.write("Downloads/News_ daily/\(name)", "bytes")
    }
    try scratch.write("Downloads/News_ daily/folder.jpg", "jpg")
    try scratch.write("Settings.json", "{}")
    try scratch.write(
      "subscriptions.opml",
      "<opml><body><outline text='News: daily' xmlUrl='https://example.org/f'/></body></opml>")
    try Databases.make(scratch.path("Database"), statements)
    return scratch
  }

  @Test func `each state has its standing, and files are found by record or address`() throws {
    let scratch = try Self.home()
    let found = try FoundEpisodes(GPodderReader(Databases.tools()), scratch.path)
    let standings = Dictionary(
      uniqueKeysWithValues: found.episodes.map { ($0.description.title ?? "", $0.status) })
    #expect(
      standings == [
        "Held": .downloaded, "Lost": .missing, "Deleted": .removed, "Known": .known,
        "Orphan": .downloaded, "Begun": .requested, "other": .downloaded, "Music": .downloaded,
      ])
    let held = try found.episode("Held")
    #expect(held.description.isWatched == true && held.description.isKept == true)
    #expect(
      held.description.duration == 61_000 && held.description.date?.description == "2020-03-31")
    #expect(held.identity.count == 1 && held.description.video?.variants.first?.size?.bytes == 5)
    #expect(try found.episode("Known").description.video?.variants.first?.size == nil)
    #expect(try found.episode("Orphan").files.map(\.doubts) == [[.unlisted]])
    #expect(try found.episode("Begun").partial?.completedRanges.count == 5)
    #expect(try found.episode("other").description.showTitle == "News: daily")
    #expect(found.left == ["folder.jpg": .ofShow])
    #expect(found.refused == [.recordUnreadable])
  }

  @Test func `two items of one day are two episodes`() throws {
    let scratch = try Self.home()
    let found = try FoundEpisodes(GPodderReader(Databases.tools()), scratch.path)
    #expect(try found.episode("Held").withheld.count == 1)
    #expect(try found.episode("Held").withheld == found.episode("Lost").withheld)
    #expect(try found.episode("Known").withheld.isEmpty)
  }

  @Test func `without sqlite3, or with a broken database, names tell what there is`() throws {
    let scratch = try Self.home()
    func check(_ found: FoundEpisodes, _ code: ErrorCode) {
      #expect(found.refused == [code])
      #expect(found.episodes.count == 3)
      #expect(found.episodes.allSatisfy { $0.description.showTitle == "News: daily" })
      #expect(found.episodes.allSatisfy { $0.doubts.contains(.nameOnly) })
      #expect(found.left["7.mp3"] == .noPart && found.left["six.mp4.partial"] == .noSource)
    }
    check(try FoundEpisodes(GPodderReader(Databases.tools(nil)), scratch.path), .programMissing)
    try scratch.write("Database", "SQLite format 3\0 and nothing more")
    check(try FoundEpisodes(GPodderReader(Databases.tools()), scratch.path), .recordUnreadable)
  }

  @Test func `the database and its folder are told by their names`() throws {
    let scratch = try Self.home()
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path)) == .gpodder)
    #expect(LegacyKind.guess(try LegacyFolder(scratch.path("Database"))) == .gpodder)
    let found = try FoundEpisodes(GPodderReader(Databases.tools()), scratch.path("Database"))
    #expect(try found.episode("Held").status == .downloaded)
  }
}
