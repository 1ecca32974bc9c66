import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

// Kodi's tables have a number as their schema version, but the columns read here are the same in
// all since Kodi 12. Kodi's paths may be those of another machine, so the table of evidence finds
// the episodes, by show, number, title and name of the file.

/// Reads the marks of episodes and films in Kodi's database of videos, `MyVideos*.db`.
struct KodiDatabase {
  /// The type of a bookmark with the position at which a playback resumes.
  private static let resume: Int64 = 1
  private static let decade = 315_360_000.0

  private let tools: LegacyTools
  private let kind: LegacyKind
  private let zone: any LocalZone

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - kind: the kind of the folder, for its rows.
  ///   - zone: the time zone of Kodi's times.
  init(_ tools: LegacyTools, of kind: LegacyKind, in zone: any LocalZone = SystemZone()) {
    self.tools = tools
    self.kind = kind
    self.zone = zone
  }

  /// Calls the body with each video that was played, or with the failure to read the database.
  ///
  /// - Throws: errors of the body and of the file system.
  func read(
    _ database: LegacyFolder.File, _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    do {
      try readVideos(database, body)
    } catch let failure as any CodedError
      where [.recordUnreadable, .programMissing].contains(failure.code)
    {
      try body([.refused("\(database.path)", Failure(failure))])
    }
  }

  /// A file with its playback.
  private struct Played {
    let name: String
    let duration: Int64?
    let playback: ExternalPlayback
  }

  /// The tables of an open database.
  private struct Tables {
    let database: LegacyFolder.File
    private let file: SQLiteFile
    private let tables: [SQLiteFile.Table]

    init(of database: LegacyFolder.File, _ tools: LegacyTools) throws {
      self.database = database
      file = try SQLiteFile(database.path, tools)
      tables = try file.tables()
    }

    /// Calls the body with the values of each row of a table, by the names of the columns.
    func forEachRow(
      of name: String, columns: [String], body: ([String: PropertyList]) throws -> Void
    ) throws {
      guard let table = tables.first(where: { $0.name == name }) else {
        throw Failure(.recordUnreadable, "the database '\(database.path)' is not of Kodi")
      }
      try file.forEachRow(of: table, columns) { try body(FeedDatabase.named($0)) }
    }
  }

  private func readVideos(
    _ database: LegacyFolder.File, _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    let tables = try Tables(of: database, tools)
    let played = try playedFiles(in: tables)
    try readEpisodes(in: tables, playing: played) { try body([.episode($0)]) }
    try readFilms(in: tables, playing: played) { try body([.episode($0)]) }
  }

  /// Returns the files that were played, at least to a position at which playback resumes, by id.
  private func playedFiles(in tables: Tables) throws -> [Int64: Played] {
    var positions: [Int64: Int64] = [:]
    try tables.forEachRow(of: "bookmark", columns: ["idFile", "timeInSeconds", "type"]) { row in
      guard row["type"]?.integer == Self.resume, let file = row["idFile"]?.integer,
        let seconds = row["timeInSeconds"]?.seconds, (1...Self.decade).contains(seconds)
      else { return }
      positions[file] = Int64((seconds * 1000).rounded())
    }
    var durations: [Int64: Int64] = [:]
    try tables.forEachRow(of: "streamdetails", columns: ["idFile", "iVideoDuration"]) { row in
      guard let file = row["idFile"]?.integer, let seconds = row["iVideoDuration"]?.seconds,
        (1...Self.decade).contains(seconds)
      else { return }
      durations[file] = Int64(seconds) * 1000
    }
    var played: [Int64: Played] = [:]
    let columns = ["idFile", "strFilename", "playCount", "lastPlayed"]
    try tables.forEachRow(of: "files", columns: columns) { row in
      guard let id = row["idFile"]?.integer else { return }
      let isWatched = row.positive("playCount") != nil
      guard isWatched || positions[id] != nil else { return }
      let time = row["lastPlayed"]?.string.flatMap(zone.timestamp(of:))
      played[id] = Played(
        name: row["strFilename"]?.string ?? "", duration: durations[id],
        playback: ExternalPlayback(
          isWatched: isWatched, lastPlayed: time, position: positions[id]))
    }
    return played
  }

  private func readEpisodes(
    in tables: Tables, playing played: [Int64: Played], _ body: (LegacyEpisode) throws -> Void
  ) throws {
    var shows: [Int64: String] = [:]
    try tables.forEachRow(of: "tvshow", columns: ["idShow", "c00"]) { row in
      if let id = row["idShow"]?.integer { shows[id] = row["c00"]?.string }
    }
    let columns = ["idEpisode", "idFile", "idShow", "c00", "c05", "c12", "c13"]
    try tables.forEachRow(of: "episode", columns: columns) { row in
      guard let id = row["idEpisode"]?.integer,
        let file = row["idFile"]?.integer.flatMap({ played[$0] })
      else { return }
      var episode = legacyEpisode(
        named: "episode \(id)", playing: file, from: row, in: tables.database)
      episode.description.showTitle = row["idShow"]?.integer.flatMap { shows[$0] }
      episode.description.season = row["c12"]?.number
      episode.description.number = row["c13"]?.number
      episode.description.date = row["c05"]?.string.flatMap { CalendarDay(ofProgram: $0) }
      try body(episode)
    }
  }

  private func readFilms(
    in tables: Tables, playing played: [Int64: Played], _ body: (LegacyEpisode) throws -> Void
  ) throws {
    let columns = ["idMovie", "idFile", "c00", "premiered"]
    try tables.forEachRow(of: "movie", columns: columns) { row in
      guard let id = row["idMovie"]?.integer,
        let file = row["idFile"]?.integer.flatMap({ played[$0] })
      else { return }
      var episode = legacyEpisode(
        named: "film \(id)", playing: file, from: row, in: tables.database)
      // The folder of a film has its year.
      let year = row["premiered"]?.string.flatMap { CalendarDay(ofProgram: $0) }.map {
        " (\($0.description.prefix(4)))"
      }
      episode.description.showTitle = episode.description.title.map { $0 + (year ?? "") }
      try body(episode)
    }
  }

  private func legacyEpisode(
    named name: String, playing file: Played, from row: [String: PropertyList],
    in database: LegacyFolder.File
  ) -> LegacyEpisode {
    var episode = LegacyEpisode(kind, record: "\(database.path): \(name)")
    episode.evidence = ["\(LegacyName(database.name).last): \(name) of Kodi"]
    episode.isOnlyMarks = true
    episode.played = file.playback
    episode.description.title = row["c00"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    episode.description.measuredDuration = file.duration
    episode.description.isWatched = file.playback.isWatched
    if !file.name.isEmpty { episode.description.fileName = LegacyName(file.name).stem }
    return episode
  }
}

extension PropertyList {
  /// A number of seconds.
  fileprivate var seconds: Double? {
    switch self {
    case .real(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  /// A number from 0; Kodi stores most of them as text.
  fileprivate var number: Int64? {
    (integer ?? string.flatMap { Int64($0) }).flatMap { $0 >= 0 ? $0 : nil }
  }
}
