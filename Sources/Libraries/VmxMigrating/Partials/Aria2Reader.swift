import SystemPackage
import VmxMedia
import VmxModel
import VmxNaming
import VmxSystem

// The control file records which pieces are complete, but not their source. The URL is that given
// by the user, or else that of the session file, which aria2 writes for downloads to continue. A
// download with all pieces, and a file without a control file, are complete.

/// Reads unfinished files of aria2 with their control files, and its session files.
package struct Aria2Reader: LegacyReader {
  private static let ending = ".aria2"

  private let userSources: LegacySources

  /// Creates a reader.
  ///
  /// - Parameter userSources: the source URLs that the user gave.
  package init(_ userSources: LegacySources = LegacySources()) {
    self.userSources = userSources
  }

  /// Whether a folder has control files, or a single named file has one next to it.
  static func recognises(_ folder: LegacyFolder) -> Bool {
    // The reader reports a folder that cannot be read.
    guard let files = try? folder.withCounterparts(ending: ending) else { return false }
    return files.contains { $0.name.hasSuffix(ending) }
  }

  /// Returns the downloads that aria2 has not completed, with their control files. Another reader
  /// must not take them for complete files, but keeps the files that it knows as unfinished, such
  /// as `.part`.
  ///
  /// - Throws: errors of the file system.
  static func downloads(in folder: LegacyFolder) throws -> [LegacyFolder.File] {
    let files = try folder.withCounterparts(ending: ending)
    let controls = files.filter { $0.name.hasSuffix(ending) }
    guard !controls.isEmpty else { return [] }
    let byName = Dictionary(files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return controls.flatMap { control -> [LegacyFolder.File] in
      let name = String(control.name.dropLast(ending.count))
      guard let file = byName[name],
        CompanionFileName.role(ofExtension: LegacyName(name).fileExtension) != nil
      else { return [] }
      do throws(Failure) {
        return try isComplete(file, Aria2Control(of: control)) ? [] : [file, control]
      } catch {
        // The findings of the pair report the error.
        return [file, control]
      }
    }
  }

  /// Whether all pieces of a file are complete, and its container is.
  private static func isComplete(
    _ file: LegacyFolder.File, _ record: Aria2Control
  ) throws(Failure) -> Bool {
    guard record.isComplete, file.size.bytes == record.total else { return false }
    return try file.isIntact
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    try folder.errors.map { .refused("\($0.path)", Failure($0)) }
      + findings(of: folder.withCounterparts(ending: Self.ending), in: folder)
  }

  /// Returns the findings of some files of a folder.
  func findings(
    of listed: [LegacyFolder.File], in folder: LegacyFolder
  ) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    var sessions = Sessions()
    var controls: [LegacyFolder.File] = []
    var files: [String: LegacyFolder.File] = [:]
    for file in listed {
      if file.name.hasSuffix(Self.ending) {
        controls.append(file)
      } else if try !sessions.read(file) {
        files[file.name] = file
      }
    }
    findings += sessions.failures
    var unfinished: [UnfinishedFile] = []
    for control in controls {
      guard let file = files[String(control.name.dropLast(Self.ending.count))] else {
        findings.append(.skipped(control.path, control.size, .fileGone))
        continue
      }
      do throws(Failure) {
        let record = try Aria2Control(of: control)
        guard !record.isTorrent else {
          findings += [file, control].map { .skipped($0.path, $0.size, .noPart) }
          files[file.name] = nil
          continue
        }
        sessions.open(file)
        if try Self.isComplete(file, record) { continue }
        unfinished.append(
          self.unfinished(file, control: control, record: record, sessions: sessions))
      } catch {
        findings.append(.refused("\(control.path)", error))
        findings.append(.skipped(file.path, file.size, .unlisted))
      }
      files[file.name] = nil
    }
    findings += try unfinished.findings(
      of: .aria2, beside: Array(files.values), in: folder)
    return findings + (try sessions.requests(beside: files.values.map(\.name)))
  }

  private func unfinished(
    _ file: LegacyFolder.File, control: LegacyFolder.File, record: Aria2Control,
    sessions: Sessions
  ) -> UnfinishedFile {
    var held = record.completedRanges
    held.remove(ByteRange(file.size.bytes..<Int64.max))
    var unfinished = UnfinishedFile(file, held: held)
    unfinished.partial.total = ByteCount(clamping: record.total)
    unfinished.evidence.append(LegacyName(control.name).last)
    unfinished.addSource(userSources)
    if unfinished.sources.isEmpty, let entry = sessions.entry(of: file) {
      unfinished.sources = entry.entry.urls
      unfinished.evidence.append(entry.source)
    }
    return unfinished
  }
}

/// The downloads in the session files of a folder, by the names of their files.
private struct Sessions {
  typealias Named = (file: LegacyFolder.File, entry: Aria2Session.Entry)

  private(set) var failures: [LegacyFinding] = []
  private var byName: [String: [Named]] = [:]
  /// The names of files that aria2 has begun.
  private var begun: Set<String> = []

  /// Reads a session file. Returns false for any other file.
  mutating func read(_ file: LegacyFolder.File) throws -> Bool {
    let name = LegacyName(file.name)
    guard file.size.bytes <= Aria2Session.maxBytes, !CompanionFileName.isVideo(name.fileExtension),
      let session = try Aria2Session(
        RegularFile.prefix(of: file.path, upTo: Int(file.size.bytes)))
    else { return false }
    for entry in session.entries { byName[entry.fileName, default: []].append((file, entry)) }
    failures += session.failures.map { .refused("\(file.path):\($0.line)", $0.failure) }
    return true
  }

  /// Records that aria2 has begun a file of this name.
  mutating func open(_ file: LegacyFolder.File) { begun.insert(LegacyName(file.name).last) }

  /// Returns the download of a file of this name; nil if there is none, or more than one.
  func entry(of file: LegacyFolder.File) -> (entry: Aria2Session.Entry, source: String)? {
    guard let named = byName[LegacyName(file.name).last], named.count == 1 else { return nil }
    return (named[0].entry, "\(LegacyName(named[0].file.name).last):\(named[0].entry.line)")
  }

  /// Returns the downloads that are requested and not begun, and those that are not videos.
  func requests(beside present: [String]) throws -> [LegacyFinding] {
    let known = begun.union(present.map { LegacyName($0).last })
    let waiting = byName.filter { !known.contains($0.key) }.values.joined()
    return waiting.sorted { ($0.file.name, $0.entry.line) < ($1.file.name, $1.entry.line) }
      .map { file, entry in
        let source = "\(file.path):\(entry.line)"
        guard CompanionFileName.isVideo(LegacyName(entry.fileName).fileExtension) else {
          return .skipped(FilePath(source), nil, .noPart)
        }
        var episode = LegacyEpisode(.aria2, record: source)
        let name = EpisodeFileName(entry.fileName)
        episode.description.showTitle = name.showTitle
        episode.description.season = name.season
        episode.description.number = name.number ?? name.absolute
        episode.description.date = name.date
        episode.description.title = name.title ?? LegacyName(entry.fileName).stem
        for url in entry.urls { episode.description.addVideo(from: url) }
        episode.status = .requested
        episode.evidence = ["\(LegacyName(file.name).last):\(entry.line)"]
        episode.doubts = [.nameOnly]
        return .episode(episode)
      }
  }
}

extension Aria2Control {
  /// - Throws: `record-unreadable`.
  fileprivate init(of file: LegacyFolder.File) throws(Failure) {
    try self.init(file.record(upTo: Self.maxBytes))
  }
}

extension LegacyFolder {
  /// Returns the files. For a single named file, it adds the file of the same name with or without
  /// the ending.
  func withCounterparts(ending: String) throws -> [File] {
    guard isSingleFile, let named = files.first else { return files }
    let isEnded = named.name.hasSuffix(ending)
    let name = isEnded ? String(named.name.dropLast(ending.count)) : named.name + ending
    let path = path.appending(name)
    guard !name.isEmpty, let facts = try FileFacts.of(path), facts.isRegular else { return files }
    return files + [File(path: path, name: name, size: ByteCount(clamping: facts.size))]
  }
}

extension LegacyFolder.File {
  /// Whether its container was parsed to its end and is complete.
  ///
  /// - Throws: `Failure` for an error of the file system.
  var isIntact: Bool {
    get throws(Failure) { try structure() == .intact }
  }

  /// Examines the structure of its container.
  func structure() throws(Failure) -> MediaStructure {
    do throws(FileError) {
      return try MediaStructure.examine(OpenFile(path, .readOnly))
    } catch {
      throw Failure(error)
    }
  }
}
