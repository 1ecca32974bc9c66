import SystemPackage
import VmxModel
import VmxSystem

// The subscriptions of such a database would be lost without a word if it counted as a file of no
// kind. Its program exports them in a form that vmx reads.

/// A SQLite database of a program whose records are not read.
struct ForeignDatabase {
  /// The number of bytes that contain the statements by which the tables were created.
  private static let prefix = 1 << 16
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
      case .castero: ["feeds", "episodes", "enclosure", "queue"]
      case .kodi: ["tvshow", "streamdetails", "idShow"]
      case .gpodder: ["podcast_id", "download_filename"]
      }
    }

    /// The way by which its records come into vmx.
    var hint: String {
      switch self {
      case .antennaPod: "install sqlite3, by which it is read"
      case .newsboat: "run 'newsboat -e > feeds.opml', then 'vmx feed import feeds.opml'"
      case .castero: "run 'castero --export feeds.opml', then 'vmx feed import feeds.opml'"
      case .kodi: "migrate the folder of the videos, then run 'vmx mark --from kodi'"
      case .gpodder: "name the home folder of gPodder"
      }
    }
  }

  /// Recognises a file; nil for one that is no database.
  init?(_ file: LegacyFolder.File, isNamed: Bool) {
    guard isNamed || Self.endings.contains(LegacyName(file.name).fileExtension) else { return nil }
    do throws(FileError) {
      let bytes = try RegularFile.prefix(of: file.path, upTo: Self.prefix)
      guard bytes.starts(with: "SQLite format 3\0".utf8) else { return nil }
      let text = String(decoding: bytes.filter { $0 < 0x80 && $0 != 0 }, as: UTF8.self)
      program = Program.allCases.first { $0.words.allSatisfy(text.contains) }
    } catch {
      // The reader reports a file that cannot be read.
      return nil
    }
  }

  /// Returns the databases in a folder that its reader does not read: of known programs, and all
  /// that the user named.
  static func all(
    in folder: LegacyFolder, of kind: LegacyKind?
  ) -> [(file: LegacyFolder.File, database: ForeignDatabase)] {
    guard kind != .coreData, kind != .gpodder else { return [] }
    return folder.files.compactMap { file in
      let isNamed = folder.namedFiles.contains(file.path)
      guard let database = ForeignDatabase(file, isNamed: isNamed),
        isNamed || database.program != nil && database.program != .kodi
      else { return nil }
      return (file, database)
    }
  }

  /// Calls the body with the items of a database of AntennaPod, and else with the refusal of the
  /// database.
  ///
  /// - Throws: errors of the body and of the file system.
  func read(
    _ file: LegacyFolder.File, of kind: LegacyKind, _ tools: LegacyTools,
    _ body: ([LegacyFinding]) throws -> Void
  ) throws {
    if program == .antennaPod {
      return try AntennaPodReader(tools, of: kind).read(file, body)
    }
    let name = program.map { "a database of \($0.rawValue)" }
    let failure = Failure(
      .sourceUnsupported,
      "'\(file.path)' is \(name ?? "a SQLite database of an unknown program"), which is not read",
      hint: program?.hint
        ?? "export the subscriptions of its program as OPML, then run 'vmx feed import FILE'")
    try body([.refused("\(file.path)", failure)])
  }
}
