import VmxJSON
import VmxLibrary
import VmxModel
import VmxNaming
import VmxSystem

// A file belongs to the `.info.json` with its stem. Without one, it is described by its name, as in
// a tree. A line of a download archive is claimed by its file. A line without a file means that the
// user has deleted the download, and that it must not be downloaded again.

/// Reads the files of yt-dlp and youtube-dl, and their download archives.
package struct YtDlpReader: LegacyReader {
  private static let information = ".info.json"

  /// Creates a reader.
  package init() {}

  /// Whether a folder has file names or archives of yt-dlp.
  static func recognises(_ folder: LegacyFolder) -> Bool {
    let streams = YtDlpStreams(folder.files)
    return folder.files.contains { file in
      let name = LegacyName(file.name).last
      return name.hasSuffix(information) || YtDlpFileName.isFragment(name)
        || streams.isLeft(file, isOfYtDlp: false)
        || DownloadArchive.isOne(file, isNamed: false)
    }
  }

  package func findings(in folder: LegacyFolder) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    try read(folder) { findings += $0 }
    return findings
  }

  package func read(_ folder: LegacyFolder, _ body: ([LegacyFinding]) throws -> Void) throws {
    try body(folder.errors.map { .refused("\($0.path)", Failure($0)) })
    var archive = DownloadArchive()
    var others: [LegacyFolder.File] = []
    for file in folder.files {
      if DownloadArchive.isOne(file, isNamed: folder.namedFiles.contains(file.path)) {
        archive.read(file)
      } else {
        others.append(file)
      }
    }
    var documents = TreeDocuments(others)
    let folders = Dictionary(grouping: others) { LegacyName($0.name).folder }
    let parser = JSONParser()
    for (_, files) in folders.sorted(by: { $0.key < $1.key }) {
      let (described, rest) = try self.described(files, archive: &archive, parser: parser)
      try body(described + named(rest, in: folder, archive: &archive, documents: &documents))
    }
    try body(archive.findings())
  }

  /// Returns the findings of the information files with the files of the same stems, and the files
  /// that none of them describes.
  private func described(
    _ files: [LegacyFolder.File], archive: inout DownloadArchive, parser: JSONParser
  ) throws -> ([LegacyFinding], rest: [LegacyFolder.File]) {
    var information: [String: LegacyFolder.File] = [:]
    for file in files where file.name.hasSuffix(Self.information) {
      let stem = LegacyName(file.name).last.dropLast(Self.information.count)
      if !stem.isEmpty { information[String(stem)] = file }
    }
    var owned: [String: [LegacyFolder.File]] = [:]
    var rest: [LegacyFolder.File] = []
    for file in files where !file.name.hasSuffix(Self.information) {
      if let stem = LegacyName(file.name).prefix(in: { information[$0] != nil }) {
        owned[stem, default: []].append(file)
      } else {
        rest.append(file)
      }
    }
    var findings: [LegacyFinding] = []
    for (stem, file) in information.sorted(by: { $0.key < $1.key }) {
      let beside = owned[stem] ?? []
      do {
        let info = try YtDlpInfo(file, parser)
        if info.isPlaylist {
          let videos = beside.filter { YtDlpFileName($0, stem: stem) != .companion }
          rest += videos
          findings += ([file] + beside.filter { !videos.contains($0) }).map {
            .skipped($0.path, $0.size, .ofShow)
          }
        } else {
          findings += try YtDlpEpisode(stem, info: info, record: file, files: beside).findings(
            &archive)
        }
      } catch let failure as Failure where failure.code == .recordUnreadable {
        findings.append(.refused("\(file.path)", failure))
        rest += beside
      }
    }
    // A file named `.info.json` has no stem, and describes no other file.
    rest += files.filter { LegacyName($0.name).last == Self.information }
    return (findings, rest.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
  }

  /// Returns the findings of files without an information file, from their names.
  private func named(
    _ files: [LegacyFolder.File], in folder: LegacyFolder, archive: inout DownloadArchive,
    documents: inout TreeDocuments
  ) throws -> [LegacyFinding] {
    let unfinished = files.filter { YtDlpFileName.isUnfinished(LegacyName($0.name).last) }
    let videos = Set(
      files.map { LegacyName($0.name) }.filter { CompanionFileName.isVideo($0.fileExtension) }
        .map(\.path))
    var summaries: [String: LegacyFolder.File] = [:]
    for file in files where file.name.hasSuffix(".description") {
      let stem = LegacyName(file.name)
      if videos.contains(stem.path) { summaries[stem.stem] = file }
    }
    let streams = YtDlpStreams(files)
    let left = files.filter { streams.isLeft($0, isOfYtDlp: true) }
    let taken = Set((unfinished + summaries.values + left).map(\.path))
    let whole = files.filter { !taken.contains($0.path) }
    var findings = unfinished.map { file in
      LegacyFinding.left(file, .noSource, page: YtDlpStreams.page(of: file))
    }
    findings += left.map(streams.finding)
    for finding in try TreeReader(of: .ytDlp).findings(of: whole, in: folder, &documents) {
      guard case .episode(var episode) = finding else {
        findings.append(finding)
        continue
      }
      let stem = LegacyName(episode.record).stem
      episode.add(archive.claim(stem: stem))
      episode.removeMissingFields()
      if let file = summaries[stem] {
        findings += YtDlpEpisode.readSummary(file, &episode)
      }
      findings.append(.episode(episode))
    }
    return findings
  }
}

extension LegacyEpisode {
  /// Adds the id at the end of the video's name, and removes it from the title.
  fileprivate mutating func add(_ found: DownloadArchive.NamedID?) {
    guard let found else { return }
    evidence += [found.ending.trimmingSpaces] + [found.evidence].compactMap { $0 }
    if let key = found.key { description.identity.append(key) }
    guard let title = description.title, title.hasSuffix(found.ending) else { return }
    var rest = String(title.dropLast(found.ending.count))
    // '--restrict-filenames' writes underscores for blanks.
    if !rest.contains(" ") { rest = rest.replacing("_", with: " ") }
    rest = rest.trimmingSpaces
    let place = MediaName.place(
      season: description.season, number: description.number, date: description.date)
    description.title = rest.isEmpty ? place ?? title : rest
  }
}

extension LegacyEpisode {
  /// Removes `NA` from the beginning of the title, which yt-dlp writes for a field without a value.
  fileprivate mutating func removeMissingFields() {
    while let title = description.title,
      let mark = ["NA - ", "NA-", "NA_"].first(where: { title.hasPrefix($0) }),
      title.count > mark.count
    {
      description.title = String(title.dropFirst(mark.count))
    }
  }
}

extension String {
  /// The text without leading and trailing spaces.
  var trimmingSpaces: String {
    var rest = self[...].drop { $0 == " " }
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}

extension YtDlpInfo {
  /// The maximum size of an information file, 16 MiB.
  private static let maxBytes: Int64 = 16 << 20

  /// Reads an information file, but only its fields that describe downloaded files.
  ///
  /// - Throws: `record-unreadable`.
  fileprivate init(_ file: LegacyFolder.File, _ parser: JSONParser) throws(Failure) {
    let bytes = try file.record(upTo: Self.maxBytes)
    let object = bytes.withUnsafeBytes { bytes in
      parser.withTape(copying: bytes) { tape -> JSONObject? in
        guard tape.isObject else { return nil }
        var fields: [JSONObject.Field] = []
        tape.forEachField { name, value in
          if let name = name.string, Self.fieldsOfFiles.contains(name) {
            fields.append((name, value.value))
          }
          return true
        }
        return JSONObject(distinct: fields)
      }
    }
    guard let object else {
      throw Failure(.recordUnreadable, "'\(file.path)' is not a JSON object")
    }
    self.init(object)
  }

  private static let fieldsOfFiles = fields.subtracting([
    "entries", "subtitles", "requested_subtitles", "thumbnail",
  ])
}
