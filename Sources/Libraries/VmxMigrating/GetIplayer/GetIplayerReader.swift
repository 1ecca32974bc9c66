import SystemPackage
import VmxModel
import VmxNaming
import VmxSystem

// The paths in the history may be outdated or of another machine. So a recording is found by its
// base name, or else by the programme id in its name. Metadata next to the video overrides the
// history, and the history overrides the name.

/// Reads the recordings of get_iplayer and its history.
package struct GetIplayerReader: LegacyReader {
  /// The maximum number of XML files inspected to guess the kind.
  private static let guesses = 16

  /// Creates a reader.
  package init() {}

  /// Whether a folder has a history or metadata of get_iplayer.
  static func recognises(_ folder: LegacyFolder) -> Bool {
    let documents = folder.files.lazy.filter { LegacyName($0.name).fileExtension == "xml" }
    return folder.files.contains { LegacyName($0.name).last == DownloadHistory.name }
      || documents.prefix(guesses).contains { file in
        do throws(FileError) {
          return ProgrammeMetadata.isMetadata(try RegularFile.prefix(of: file.path, upTo: 512))
        } catch {
          // The reader of the guessed kind reports the error.
          return false
        }
      }
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(folder) { findings += $0 }
    return findings
  }

  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    var findings = folder.errors.map { LegacyFinding.refused("\($0.path)", Failure($0)) }
    var history = DownloadHistory()
    var files: [LegacyFolder.File] = []
    for file in folder.files {
      let name = LegacyName(file.name).last
      if name == DownloadHistory.name {
        history.read(file)
      } else if name.contains(".partial.") {
        // Neither a record nor the name contains a source URL.
        findings.append(.skipped(file.path, file.size, .noSource))
      } else {
        files.append(file)
      }
    }
    var recordings = Recordings(files, history)
    try body(findings)
    try recordings.read(body)
    try body(history.problems)
    var documents = TreeDocuments(recordings.unrecorded)
    let folders = Dictionary(grouping: recordings.unrecorded) { LegacyName($0.name).folder }
    for (_, files) in folders.sorted(by: { $0.key < $1.key }) {
      let found = try TreeReader(of: .getIplayer).findings(of: files, in: folder, &documents)
      try body(found.map { Self.named($0, hasHistory: !history.entries.isEmpty) })
    }
  }

  /// Returns the finding of a file without a record, with the programme id from its name.
  private static func named(_ finding: LegacyFinding, hasHistory: Bool) -> LegacyFinding {
    guard case .episode(var episode) = finding else { return finding }
    if hasHistory { episode.doubts.append(.unlisted) }
    if let pid = Self.pid(in: LegacyName(episode.record).stem) {
      episode.evidence.append(pid)
      episode.description.identity.append(ProgrammeMetadata.key(pid))
      let stem = LegacyName(episode.record).stem
      if episode.description.title == stem {
        episode.description.title = RecordingName.words(of: stem).dropLast(2).joined(separator: " ")
      }
    }
    return .episode(episode)
  }

  /// Returns the programme id before the version at the end of a name, as in
  /// `Name_-_Title_m000abcd_original`; nil if there is none.
  private static func pid(in stem: String) -> String? {
    let words = RecordingName.words(of: stem)
    guard words.count > 2, let pid = words.dropLast().last, ProgrammeID.isOne(pid) else {
      return nil
    }
    return String(pid)
  }
}

/// Splits the name of a recording into words, which underscores or spaces separate.
enum RecordingName {
  static func words(of stem: String) -> [Substring] { stem.split { $0 == "_" || $0 == " " } }
}
