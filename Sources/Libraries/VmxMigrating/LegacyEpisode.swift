package import SystemPackage
package import VmxModel

/// An episode as another program tells of it, with its files on the disk.
package struct LegacyEpisode: Sendable {
  /// The state of the episode in the other program.
  package enum Standing: Sendable, Equatable {
    /// It knows of it, and has asked for nothing.
    case known
    /// It is asked for: queued, paused or failed.
    case requested
    /// Its video is in a file.
    case held
    /// A record says so, and the file is gone.
    case lost
    /// The user has removed it, and it is not to come back.
    case removed
  }

  /// Which program it is of.
  package let kind: LegacyKind
  /// The file or the line of a file that describes it, for messages.
  package let record: String
  /// Its titles, numbers, dates and sources. Each file has a part here.
  package var description = EpisodeDescription()
  /// The keys that identify it beside those of the description: ids of feeds and sites.
  package var identity: [IdentityKey] = []
  /// Keys that only identify an episode with the same number or day: ids of catalogues, which people
  /// and programs copy from one episode to the next.
  package var hints: [IdentityKey] = []
  /// Keys of the description that do not identify it, since another episode of the same source has
  /// them too.
  package var withheld: Set<IdentityKey> = []
  /// Its state in the other program.
  package var standing = Standing.known
  /// Its whole files, each for another part.
  package var files: [LegacyFile] = []
  /// Its unfinished video; nil if there is none.
  package var partial: LegacyPartial?
  /// The records and names that tell what it is.
  package var evidence: [String] = []
  /// The reasons why that is not sure.
  package var doubts: [LegacyDoubt] = []

  /// Creates an episode without fields.
  package init(_ kind: LegacyKind, record: String) {
    self.kind = kind
    self.record = record
  }

  /// Adds a doubt, once.
  mutating func doubt(_ doubt: LegacyDoubt) {
    if !doubts.contains(doubt) { doubts.append(doubt) }
  }
}

/// A whole file of another program that becomes the file of a part.
package struct LegacyFile: Sendable, Equatable {
  /// The file; it is only read.
  package let path: FilePath
  /// The bytes of the part, where a field of the record at `path` holds them; nil if the file at
  /// `path` is the part.
  package var contents: [UInt8]?
  /// The name of the part.
  package let part: String
  /// Its size in bytes when it was found.
  package let size: ByteCount
  /// The reasons why it may be another file than the record says.
  package var doubts: [LegacyDoubt] = []

  /// Creates a file of a part.
  package init(_ path: FilePath, part: String, size: ByteCount, doubts: [LegacyDoubt] = []) {
    self.path = path
    self.part = part
    self.size = size
    self.doubts = doubts
  }
}

/// An unfinished file of another program.
package struct LegacyPartial: Sendable, Equatable {
  /// The file; it is only read.
  package let path: FilePath
  /// The bytes that the other program says it has. None of them counts before the origin was asked.
  package let held: ByteRangeSet
  /// The size of the whole, where it is known.
  package var total: ByteCount?
  /// The entity tag under which the bytes came, with its quotation marks.
  package var entityTag: String?
  /// The date of `Last-Modified` under which the bytes came, as sent.
  package var lastModified: String?

  /// Creates an unfinished file.
  package init(_ path: FilePath, held: ByteRangeSet) {
    self.path = path
    self.held = held
  }
}

/// A finding of a reader: an episode, or a file that becomes none.
package enum LegacyFinding: Sendable {
  /// An episode with its files.
  case episode(LegacyEpisode)
  /// A file that stays where it is, with the reason.
  case left(FilePath, ByteCount?, LegacyDoubt)
  /// A file or a record that cannot be read, with the file or its line.
  case refused(String, Failure)
}

/// Reads the records and files of one program, and changes none of them.
///
/// ```swift
/// for finding in try TreeReader().findings(in: LegacyFolder(path)) { … }
/// ```
package protocol LegacyReader: Sendable {
  /// Returns what lies at a path, in the order of the paths. Each file is named once.
  ///
  /// - Throws: `input-missing`, `record-unreadable` if nothing of it can be read, and errors of the
  ///   file system. A broken record among others is a finding.
  func findings(in folder: LegacyFolder) throws -> [LegacyFinding]

  /// Calls the body with the findings, in groups of those that share files. A reader of large folders
  /// makes one group after the other, so that their number takes no memory.
  ///
  /// - Throws: as `findings`, and the errors of the body.
  func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws
}

extension LegacyReader {
  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    try body(findings(in: folder))
  }
}
