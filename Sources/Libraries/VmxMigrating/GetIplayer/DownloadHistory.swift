import SystemPackage
import VmxModel

// get_iplayer does not escape fields, so a `|` within a description shifts all later fields. The
// first nine fields are counted from the start of the line, and the last seven from its end
// (get_iplayer version 3).

/// The file `download_history` of get_iplayer: a line for each recording, in chronological order.
struct DownloadHistory {
  /// A recorded programme, described by the first line with its id.
  struct Entry {
    /// The id of the programme.
    let pid: String
    /// The first line. It is parsed on access, since its fields take much more memory.
    fileprivate let line: String
    /// The base names of its recordings, the latest last.
    var files: [String]
    /// The path and number of the first line, for messages.
    let record: String
    /// Whether the line has more or fewer fields than the format.
    let isShifted: Bool

    /// The metadata by the names of get_iplayer.
    var metadata: ProgrammeMetadata {
      ProgrammeMetadata(DownloadHistory.values(of: line)?.values ?? [:])
    }
  }

  static let name = "download_history"
  private static let maxBytes: Int64 = 64 << 20
  private static let fields = [
    "pid", "name", "episode", "type", "timeadded", "mode", "filename", "versions", "duration",
    "desc", "channel", "categories", "thumbnail", "guidance", "web", "episodenum", "seriesnum",
  ]
  private static let front = 9

  /// The programmes, in the order of their first lines.
  private(set) var entries: [Entry] = []
  /// Repeated lines, and those that cannot be read.
  private(set) var problems: [LegacyFinding] = []
  private var indices: [String: Int] = [:]

  /// The programme with an id.
  subscript(pid: String) -> Entry? { indices[pid].map { entries[$0] } }

  /// Reads a history.
  mutating func read(_ file: LegacyFolder.File) {
    do throws(Failure) {
      let bytes = try file.record(upTo: Self.maxBytes)
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() { add(line, "\(file.path):\(index + 1)") }
    } catch {
      problems.append(.refused("\(file.path)", error))
    }
  }

  private mutating func add(_ line: ArraySlice<UInt8>, _ record: String) {
    guard line.contains(where: { $0 > 0x20 }), line.first != UInt8(ascii: "#") else { return }
    guard let text = String(validating: line, as: UTF8.self),
      let (values, isShifted) = Self.values(of: text), let pid = values["pid"]
    else {
      problems.append(
        .refused(record, Failure(.recordUnreadable, "the line is none of a download history")))
      return
    }
    let name = values["filename"].map { LegacyName($0).last } ?? ""
    let files = name.isEmpty ? [] : [name]
    if let index = indices[pid] {
      entries[index].files += files
      problems.append(.skipped(FilePath(record), nil, .repeated))
      return
    }
    indices[pid] = entries.count
    entries.append(
      Entry(pid: pid, line: text, files: files, record: record, isShifted: isShifted))
  }

  /// Returns the fields of a line by their names; nil for a line of another format.
  static func values(of line: String) -> (values: [String: String], isShifted: Bool)? {
    let text = line.last == "\r" ? line.dropLast() : line[...]
    var pieces = text.replacing("\0", with: "").split(
      separator: "|", omittingEmptySubsequences: false
    ).map(String.init)
    // Each field ends with `|`.
    if pieces.last?.isEmpty ?? false { pieces.removeLast() }
    guard pieces.count >= 2, !pieces[0].isEmpty, !pieces[0].contains(where: \.isWhitespace) else {
      return nil
    }
    let count = pieces.count
    if count > fields.count {
      let rest = fields.count - front - 1
      pieces =
        pieces[..<front] + [pieces[front..<count - rest].joined(separator: "|")]
        + pieces[(count - rest)...]
    }
    return (
      Dictionary(zip(fields, pieces)) { first, _ in first }, count != fields.count
    )
  }
}
