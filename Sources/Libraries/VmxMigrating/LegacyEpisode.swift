package import SystemPackage
package import VmxModel

/// An episode from the records of another program, with its files on the disk.
package struct LegacyEpisode: Sendable {
  /// The state of the episode in the other program.
  package enum Status: Sendable, Equatable {
    /// The program knows the episode and has not requested it.
    case known
    /// The program has requested the episode, which is queued, paused or failed.
    case requested
    /// The program has the video in a file.
    case downloaded
    /// A record names a file of the video that no longer exists.
    case missing
    /// The user has removed the episode, and it must not be downloaded again.
    case removed
  }

  /// The program that the episode is from.
  package let kind: LegacyKind
  /// The file, or the line of a file, that describes the episode, for messages.
  package let record: String
  /// Its titles, numbers, dates and sources, and a part for each file.
  package var description = EpisodeDescription()
  /// The identity keys in addition to those of the description: ids of feeds and sites.
  package var identity: [IdentityKey] = []
  /// Keys that identify an episode only if its number or date is equal too: ids of catalogues.
  /// Users and programs copy these from one episode to the next.
  package var hints: [IdentityKey] = []
  /// Keys of the description that do not identify it, since another episode of the same source
  /// shares them.
  package var withheld: Set<IdentityKey> = []
  /// Its state in the other program.
  package var status = Status.known
  /// Its playback according to the other program, in addition to the mark in the description.
  package var played = ExternalPlayback()
  /// Its complete files, each of a different part.
  package var files: [LegacyFile] = []
  /// Its unfinished video; nil if there is none.
  package var partial: LegacyPartial?
  /// The records and file names from which its description was derived.
  package var evidence: [String] = []
  /// The show that the NFO file of its show describes, with an empty slug; nil for none.
  package var show: LibraryShow?
  /// The NFO file of the episode; nil if there is none.
  package var nfo: FilePath?
  /// The NFO file of its show; nil if there is none.
  package var showNFO: FilePath?
  /// Messages for the user if its files are moved and NFO files are not taken over.
  package var remarks: [String] = []
  /// The reasons why the description is uncertain.
  package var doubts: [MigrationDoubt] = []

  /// Whether it has only marks, which are of no use without an episode of the library.
  package var isOnlyMarks = false

  /// Creates an episode without fields.
  package init(_ kind: LegacyKind, record: String) {
    self.kind = kind
    self.record = record
  }

  /// Adds a doubt unless it is already present.
  mutating func addDoubt(_ doubt: MigrationDoubt) {
    if !doubts.contains(doubt) { doubts.append(doubt) }
  }
}

/// A complete file of another program that becomes the file of a part.
package struct LegacyFile: Sendable, Equatable {
  /// The file; it is only read.
  package let path: FilePath
  /// The bytes of the part, if a field of the record at `path` holds them; nil if the file at
  /// `path` is the part.
  package var contents: [UInt8]?
  /// The name of the part.
  package let part: String
  /// Its size in bytes when it was found.
  package let size: ByteCount
  /// The reasons why the file may differ from its record.
  package var doubts: [MigrationDoubt] = []

  /// Creates a file of a part.
  package init(_ path: FilePath, part: String, size: ByteCount, doubts: [MigrationDoubt] = []) {
    self.path = path
    self.part = part
    self.size = size
    self.doubts = doubts
  }
}

extension [LegacyFile] {
  /// Returns the extension of the file of a part; nil if none has that name.
  func fileExtension(ofPart name: String) -> String? {
    first { $0.part == name }.map { $0.path.extension ?? "" }
  }
}

/// An unfinished file of another program.
package struct LegacyPartial: Sendable, Equatable {
  /// The file; it is only read.
  package let path: FilePath
  /// The byte ranges that the other program claims to hold. They are not trusted until a fetch has
  /// compared them with the origin.
  package let completedRanges: ByteRangeSet
  /// The size of the complete file, if it is known.
  package var total: ByteCount?
  /// The entity tag of the response that delivered the bytes, with its quotation marks.
  package var entityTag: String?
  /// The `Last-Modified` field of the response that delivered the bytes, as sent.
  package var lastModified: String?

  /// Creates an unfinished file.
  package init(_ path: FilePath, completedRanges: ByteRangeSet) {
    self.path = path
    self.completedRanges = completedRanges
  }
}

/// A finding of a reader: an episode, or a file or record that is not migrated.
package enum LegacyFinding: Sendable {
  /// An episode with its files.
  case episode(LegacyEpisode)
  /// A file that is not migrated, with its size and the reason.
  case skipped(FilePath, ByteCount?, MigrationDoubt)
  /// A file of an interrupted download that only its program can complete, with the URL of its
  /// page, if it is known.
  case left(LegacyFolder.File, MigrationDoubt, page: String?)
  /// A folder whose files are left out.
  case excluded(LegacyFolder.Excluded)
  /// A file or a record that cannot be read, with the file or its line.
  case refused(String, Failure)
  /// A list or database of subscriptions, with the URLs of its feeds as written. It has no row.
  case subscriptions(FilePath, [String])
}

/// A reader of the records and files of one program. It changes none of them.
///
/// ```swift
/// for finding in try TreeReader().findings(in: LegacyFolder(path)) { … }
/// ```
package protocol LegacyReader: Sendable {
  /// Returns the findings in a folder, sorted by path. Each file occurs in one finding.
  ///
  /// - Throws: `input-missing`, `record-unreadable` if none of the input can be read, and errors of
  ///   the file system. A broken record among valid ones is a finding, not an error.
  func findings(in folder: LegacyFolder) throws -> [LegacyFinding]

  /// Calls the body with groups of findings. Findings that share files are in one group. A reader
  /// of large folders produces one group at a time, so that memory use does not grow with their
  /// number.
  ///
  /// - Throws: as `findings`, and the errors of the body.
  func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws
}

extension LegacyReader {
  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    try body(findings(in: folder))
  }
}
