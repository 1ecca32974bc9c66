import SystemPackage
import VmxModel
import VmxSystem

/// The queue of podboat, the downloader of newsboat: lines of a URL, a quoted file and a state.
final class PodboatQueue {
  /// A line.
  struct Entry {
    let url: String
    let status: LegacyEpisode.Status
    let isPlayed: Bool
    /// The file that podboat has downloaded; nil for a pending line.
    let path: FilePath?
    fileprivate let line: Int
  }

  private static let name = "queue"
  private static let limit: Int64 = 8 << 20

  let file: LegacyFolder.File
  /// The lines by their URLs, without those that were taken.
  private var entries: [String: Entry] = [:]

  /// Returns the file in a folder that has the name of a queue; nil if there is none.
  static func file(in folder: LegacyFolder) -> LegacyFolder.File? {
    folder.files.first { LegacyName($0.name).last == name }
  }

  /// Reads the queue in a file; nil if the file is of another kind.
  ///
  /// - Throws: `record-unreadable`.
  init?(_ file: LegacyFolder.File) throws(Failure) {
    self.file = file
    let bytes = try file.record(upTo: Self.limit)
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard let entry = Self.entry(line, at: index + 1) else { return nil }
      entries[entry.url] = entries[entry.url] ?? entry
    }
    guard !entries.isEmpty else { return nil }
  }

  /// Returns the line of an item, and omits it from the findings.
  func take(_ url: String) -> Entry? { entries.removeValue(forKey: url) }

  /// Parses a line; nil for one of another kind of file. Without a state the download is pending.
  private static func entry(_ line: Substring, at number: Int) -> Entry? {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0].contains("://"), words[1].hasPrefix("\"") else { return nil }
    let pieces = words[1].split(separator: "\"", omittingEmptySubsequences: false)
    let state = pieces.last ?? ""
    let isDone = !state.allSatisfy(\.isWhitespace)
    return Entry(
      url: String(words[0]), status: isDone ? .known : .requested,
      isPlayed: state.contains("finished"),
      path: isDone && pieces.count == 3 ? FilePath(String(pieces[1])) : nil, line: number)
  }

  /// Returns the findings of the lines that no item of a database has taken.
  func findings(of kind: LegacyKind) throws -> [LegacyFinding] {
    try entries.values.sorted { $0.line < $1.line }.map { entry in
      let source = "\(file.path): line \(entry.line)"
      let url: WebURL
      do throws(Failure) {
        url = try WebURL(entry.url)
      } catch {
        return .refused(source, error)
      }
      var episode = LegacyEpisode(kind, record: source)
      episode.evidence = ["\(Self.name): line \(entry.line) of podboat"]
      episode.status = entry.status
      episode.description.isWatched = entry.isPlayed ? true : nil
      entry.describe(&episode.description)
      try episode.description.add(
        PartDescription(role: .video, variants: [VariantDescription(sources: [url])]))
      return .episode(episode)
    }
  }
}

extension PodboatQueue.Entry {
  /// Adds the name and the size of the downloaded file, by which a migration of its folder finds
  /// the item. The file itself is only taken with that folder.
  func describe(_ description: inout EpisodeDescription) {
    guard let path, path.isAbsolute else { return }
    description.fileName = path.stem
    do throws(FileError) {
      if let facts = try FileFacts.of(path), facts.isRegular {
        description.sizes.insert(facts.size)
      }
    } catch {
      // Of a file that cannot be read, only the name is known.
    }
  }
}
