import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// The download archives of yt-dlp: text files with a line `extractor id` for each video that it
/// has downloaded.
struct DownloadArchive {
  /// An id at the end of a video's name.
  struct NamedID {
    /// The end of the stem that contains the id: `[id]` or `-id`.
    let ending: String
    /// The key derived from the archive's line; nil if no archive contains the id.
    let key: IdentityKey?
    /// The file name and number of that line; nil if no archive contains the id.
    let evidence: String?
  }

  private struct Entry {
    let text: String
    let file: Int
    let number: Int
    var isClaimed = false
  }

  private static let maxBytes: Int64 = 64 << 20
  private static let maxLineLength = 1000
  private static let sniffLength = 4096

  private var paths: [FilePath] = []
  private var entries: [Entry] = []
  private var indices: [String: Int] = [:]
  /// The entries by their ids; nil if several extractors have the same id.
  private var ids: [String: Int?] = [:]
  private var problems: [LegacyFinding] = []

  /// Whether a file is an archive, according to its first lines, and also to its name unless the
  /// user named the file.
  static func isOne(_ file: LegacyFolder.File, isNamed: Bool) -> Bool {
    let name = LegacyName(file.name)
    if !isNamed {
      let words = name.last.lowercased()
      guard ["txt", "", "archive"].contains(name.fileExtension),
        ["archive", "download"].contains(where: words.contains)
      else { return false }
    }
    do throws(FileError) {
      let bytes = try RegularFile.prefix(of: file.path, upTo: sniffLength)
      guard !bytes.contains(0) else { return false }
      var lines = bytes.split(separator: UInt8(ascii: "\n")).filter { !$0.isEmpty }
      if bytes.count == sniffLength { _ = lines.popLast() }
      let fitting = lines.filter { line in
        Self.text(of: line).map { $0.split(separator: " ").count == 2 } ?? false
      }
      return !fitting.isEmpty && fitting.count * 2 >= lines.count
    } catch {
      // Other readers report a file that cannot be read.
      return false
    }
  }

  /// Reads an archive; invalid lines become findings.
  mutating func read(_ file: LegacyFolder.File) {
    do throws(Failure) {
      try readLines(of: file)
    } catch {
      problems.append(.refused("\(file.path)", error))
    }
  }

  private mutating func readLines(of file: LegacyFolder.File) throws(Failure) {
    let bytes = try file.record(upTo: Self.maxBytes)
    paths.append(file.path)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
      add(line, Entry(text: Self.text(of: line) ?? "", file: paths.count - 1, number: index + 1))
    }
  }

  private mutating func add(_ line: ArraySlice<UInt8>, _ entry: Entry) {
    guard let space = entry.text.firstIndex(of: " ") else {
      let failure = Failure(.recordUnreadable, "the line has no extractor and id")
      problems.append(.refused(record(of: entry), failure))
      return
    }
    guard indices[entry.text] == nil else {
      problems.append(.skipped(FilePath(record(of: entry)), nil, .repeated))
      return
    }
    indices[entry.text] = entries.count
    let id = String(entry.text[entry.text.index(after: space)...])
    ids.updateValue(ids[id] == nil ? entries.count : nil, forKey: id)
    entries.append(entry)
  }

  /// Returns the text of a line: an extractor in lower case, a space, an id; nil for another line.
  private static func text(of line: ArraySlice<UInt8>) -> String? {
    guard line.count <= maxLineLength, let text = String(validating: line, as: UTF8.self) else {
      return nil
    }
    let words = text.split(maxSplits: 1) { $0 == " " || $0 == "\t" || $0 == "\r" }
    guard words.count == 2, words[0].utf8.allSatisfy(isExtractorByte) else { return nil }
    let id = String(words[1].split(separator: "\r").first ?? "").trimmingSpaces
    guard !id.isEmpty, id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return "\(words[0]) \(id)"
  }

  private static func isExtractorByte(_ byte: UInt8) -> Bool {
    let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    return byte.isASCIIAlphanumeric && !isUpper || "_-:.+".utf8.contains(byte)
  }

  /// Marks lines as claimed by a file, an unfinished file, or a record next to one.
  ///
  /// - Returns: the file name and number of the first of these lines; nil if no archive contains
  ///   one.
  mutating func claim(_ lines: [String]) -> String? {
    let found = lines.compactMap { indices[$0] }
    for index in found { entries[index].isClaimed = true }
    return found.first.map { evidence(of: entries[$0]) }
  }

  /// Marks the line whose id is a name or at the end of one, as in `Title [id]` and `Title-id`.
  ///
  /// - Returns: the id; nil if the name has none. After a hyphen, a word is an id only if an
  ///   archive contains it.
  mutating func claim(stem: String) -> NamedID? {
    if let id = SiteID.bracketed(in: stem) {
      return claim(id: id, "[\(id)]")
        ?? NamedID(ending: "[\(id)]", key: SiteID.key(id), evidence: nil)
    }
    if let found = claim(id: stem, "") { return found }
    for dash in stem.indices where stem[dash] == "-" {
      let id = String(stem[stem.index(after: dash)...])
      if let found = claim(id: id, "-\(id)") { return found }
    }
    return nil
  }

  private mutating func claim(id: String, _ ending: String) -> NamedID? {
    guard let index = ids[id] ?? nil else { return nil }
    entries[index].isClaimed = true
    return NamedID(
      ending: ending, key: YtDlpInfo.key(archiveLine: entries[index].text),
      evidence: evidence(of: entries[index]))
  }

  /// Returns the episodes of lines without files, and the invalid lines. Such a line says only that
  /// yt-dlp does not download the video again; a file that is found later is taken.
  ///
  /// - Throws: no error, since each episode has only one part.
  func findings() throws(Failure) -> [LegacyFinding] {
    var findings = problems
    for entry in entries where !entry.isClaimed {
      var episode = LegacyEpisode(.ytDlp, record: record(of: entry))
      let words = entry.text.split(separator: " ", maxSplits: 1).map(String.init)
      (episode.description.show, episode.description.title) = (words.first, words.last)
      episode.description.identity = [
        YtDlpInfo.key(archiveLine: entry.text), YtDlpInfo.itemKey(archiveLine: entry.text),
      ].compactMap { $0 }
      try episode.description.add(PartDescription(role: .video, variants: []))
      episode.description.origin = .name
      episode.status = .known
      episode.doubts = [.onlyInArchive]
      episode.evidence = [evidence(of: entry)]
      findings.append(.episode(episode))
    }
    return findings
  }

  private func record(of entry: Entry) -> String { "\(paths[entry.file]):\(entry.number)" }

  private func evidence(of entry: Entry) -> String {
    "\(paths[entry.file].lastComponent?.string ?? ""):\(entry.number)"
  }
}
