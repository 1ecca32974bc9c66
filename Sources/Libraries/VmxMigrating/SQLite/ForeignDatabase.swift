import SystemPackage
import VmxModel
import VmxSystem

// The records of such a database would be lost without a word if it counted as a file of no kind.

/// A SQLite database of another program, which may lie in a folder of any kind.
struct ForeignDatabase {
  private static let endings: Set<String> = ["db", "sqlite", "sqlite3", "storedata", ""]

  /// The program; nil if it is not known.
  let program: Program?

  /// A program, by the names of its tables.
  enum Program: String, CaseIterable {
    case antennaPod = "AntennaPod"
    case newsboat
    case castero
    case kodi = "Kodi"
    case gpodder = "gPodder"

    /// Words of the statements that create its tables.
    fileprivate var words: [String] {
      switch self {
      case .antennaPod: ["FeedItems", "FeedMedia"]
      case .newsboat: ["rss_feed", "rss_item"]
      case .castero: ["feed_key", "last_build_date", "enclosure"]
      case .kodi: ["tvshow", "streamdetails", "idShow"]
      case .gpodder: ["podcast_id", "download_filename"]
      }
    }
  }

  /// Recognises a file; nil for one that is no database.
  init?(_ file: LegacyFolder.File, isNamed: Bool) {
    guard isNamed || Self.endings.contains(LegacyName(file.name).fileExtension) else { return nil }
    do throws(FileError) {
      guard try SQLiteFile.isMarked(file.path) else { return nil }
      program = try Self.program(of: file.path)
    } catch {
      // The reader reports a file that cannot be read.
      return nil
    }
  }

  /// Returns the program that wrote a database, by the statements that created its tables; nil if
  /// it is not known.
  static func program(of database: FilePath) throws(FileError) -> Program? {
    let bytes = try SQLiteSchema.bytes(of: database)
    let text = String(decoding: bytes.filter { $0 < 0x80 && $0 != 0 }, as: UTF8.self)
    return Program.allCases.first { $0.words.allSatisfy(text.contains) }
  }

  /// Returns the databases in a folder that the reader of its kind does not read: of known
  /// programs, and all that the user named.
  static func all(
    in folder: LegacyFolder, of kind: LegacyKind?
  ) -> [(file: LegacyFolder.File, database: ForeignDatabase)] {
    guard kind != .coreData, kind != .gpodder else { return [] }
    return folder.files.compactMap { file in
      let isNamed = folder.namedFiles.contains(file.path)
      guard let database = ForeignDatabase(file, isNamed: isNamed),
        isNamed || database.program != nil
      else { return nil }
      return (file, database)
    }
  }

  /// Calls the body with the items or marks in a database, and else with its refusal.
  ///
  /// - Parameter queue: the queue of podboat in the same folder.
  /// - Throws: errors of the body and of the file system.
  func read(
    _ file: LegacyFolder.File, of kind: LegacyKind, with tools: LegacyTools, queue: PodboatQueue?,
    body: ([LegacyFinding]) throws -> Void
  ) throws {
    switch program {
    case .kodi: return try KodiDatabase(tools, of: kind).read(file, body)
    case .antennaPod, .newsboat, .castero:
      guard let layout = program?.layout else { break }
      let queue = program == .newsboat ? queue : nil
      return try FeedDatabaseReader(layout, tools, of: kind).read(file, queue: queue, body)
    case .gpodder, nil: break
    }
    let name = program.map { "a database of \($0.rawValue)" }
    let failure = Failure(
      .sourceUnsupported,
      "'\(file.path)' is \(name ?? "a SQLite database of an unknown program"), which is not read",
      hint: program == nil
        ? "export the subscriptions of its program as OPML, then run 'vmx feed import FILE'"
        : "name the home folder of gPodder")
    try body([.refused("\(file.path)", failure)])
  }
}
