import SystemPackage
import VmxMarkup
import VmxModel
import VmxNaming
import VmxSystem

// The files on the disk override the records. A finished download without its file is lost, and an
// unfinished one with a complete file is held. The size of a file overrides that of its record.
//
// A file next to a video belongs to it only if no record names that file. A key identifies an
// episode only if no other episode has it. So the records are mapped in two passes
// (`DownloadStores`). The first pass collects the named files and the keys. The second pass outputs
// the episodes in batches of about 1,000.

/// Maps the records of one store of downloads to episodes.
struct DownloadMapping {
  /// The maximum number of records that readers read from a list or table.
  static let maxRecords = 100_000
  private static let batch = 1000

  /// A closure that receives findings in their order.
  typealias Output = ([LegacyFinding]) throws -> Void

  private let kind: LegacyKind
  private let store: LegacyFolder.File
  private(set) var files: DownloadFiles
  private var findings: [LegacyFinding] = []
  private let output: Output
  /// The held videos of the first pass, which does not yet know all files that records name.
  private var videos: [(file: LegacyFolder.File, id: String?)] = []
  /// The files that no record names; nil in the first pass.
  private var unnamed: DownloadFiles?
  /// The files that records have used as their videos.
  private var usedVideos: Set<FilePath> = []
  private var count = 0

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - files: the files that belong to no other store.
  ///   - unnamed: the same files without those that records name; nil in the first pass.
  init(
    _ kind: LegacyKind, store: LegacyFolder.File, files: DownloadFiles,
    unnamed: DownloadFiles? = nil, output: @escaping Output
  ) {
    self.kind = kind
    self.store = store
    self.files = files
    self.unnamed = unnamed
    self.output = output
  }

  /// Adds a finding for an entry of the store that is not a record of a download.
  mutating func refuse(_ failure: Failure) {
    count += 1
    findings.append(.refused("\(store.path): record \(count)", failure))
  }

  /// Maps a record.
  ///
  /// - Throws: `FileError`, `resources-short`, the errors of the output.
  mutating func map(_ record: DownloadRecord) throws {
    count += 1
    var episode = LegacyEpisode(kind, record: "\(store.path): record \(count)")
    episode.evidence = ["\(LegacyName(store.name).last): record \(count)"]
    if let code = record.errorCode { episode.evidence.append("error \(code)") }
    describe(&episode, record)
    var video = DownloadVideo(record, in: store)
    if let failure = try video.readResumeData() {
      findings.append(.refused("\(episode.record): resume data", failure))
    }
    // The file of a download that the user has removed is an orphan.
    let name = record.state == .removed ? nil : record.fileName
    let file = try name.flatMap { try files.claim($0, size: record.size, near: store.path) }
    if let file, !usedVideos.insert(file.path).inserted { episode.doubts.append(.repeated) }
    try video.setFile(file, in: &files, &episode)
    if episode.status != .downloaded, let failure = video.failure, video.sources.isEmpty {
      findings.append(.refused(episode.record, failure))
      return
    }
    if video.failure != nil { episode.addDoubt(.badURL) }
    if let host = video.sources.first?.host, let id = record.id {
      episode.hints.append(.outside(catalogue: host, id: id))
    }
    try episode.description.add(video.description(held: episode.files.first))
    try addNamed(record, &episode)
    if episode.status == .downloaded, let file {
      if unnamed == nil {
        videos.append((file, record.id))
      } else {
        addCompanions(of: file, record.id, &episode)
      }
    }
    findings.append(.episode(episode))
    if findings.count >= Self.batch { try flush() }
  }

  /// Passes the remaining findings to the output.
  ///
  /// - Throws: the errors of the output.
  mutating func flush() throws {
    try output(findings)
    findings = []
  }

  /// Returns the files that belong to neither a record nor a video, after the first pass.
  func unclaimedFiles() -> DownloadFiles {
    var rest = files
    for (video, id) in videos { _ = rest.claimCompanions(of: video, stems: Self.stems(video, id)) }
    return rest
  }

  private static func stems(_ video: LegacyFolder.File, _ id: String?) -> [String] {
    [LegacyName(video.name).stem] + [id].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// Adds the companion files of a video, which are identified by their names.
  private mutating func addCompanions(
    of video: LegacyFolder.File, _ id: String?, _ episode: inout LegacyEpisode
  ) {
    let found = unnamed?.claimCompanions(of: video, stems: Self.stems(video, id)) ?? []
    for (file, name) in found {
      add(PartDescription(name), file, doubts: [.nameOnly], to: &episode)
    }
  }

  private func describe(_ episode: inout LegacyEpisode, _ record: DownloadRecord) {
    episode.description.title = record.title
    episode.description.showTitle = record.showTitle
    episode.description.season = record.season
    episode.description.number = record.number
    episode.description.date = record.date
    episode.description.duration = record.duration
    episode.description.language = record.language
    episode.description.summary = record.summary
    episode.description.expires = record.expires
    episode.description.isWatched = record.isWatched
    if record.isFavourite { episode.description.isKept = true }
  }

  /// Adds the subtitles, the picture and the key that a record names.
  private mutating func addNamed(
    _ record: DownloadRecord, _ episode: inout LegacyEpisode
  ) throws {
    for subtitle in record.subtitles {
      var part = PartDescription(subtitle.partName, variants: [])
      if let text = subtitle.url {
        do throws(Failure) {
          part.variants = [VariantDescription(sources: [try WebURL(text)])]
        } catch {
          episode.addDoubt(.badURL)
        }
      }
      try addNamed(subtitle.fileName, as: part, to: &episode)
    }
    for image in record.images {
      try addNamed(image, as: PartDescription(role: .image, variants: []), to: &episode)
    }
    guard let key = record.key else { return }
    var file = LegacyFile(
      store.path, part: PartRole.key.rawValue, size: ByteCount(clamping: Int64(key.count)))
    file.contents = key
    _ = add(PartDescription(role: .key, variants: []), file, to: &episode)
  }

  private mutating func addNamed(
    _ name: String?, as part: PartDescription, to episode: inout LegacyEpisode
  ) throws {
    guard let file = try name.flatMap({ try files.claim($0, size: nil, near: store.path) }) else {
      if !part.variants.isEmpty {
        _ = add(part, nil, to: &episode)
      } else if name != nil {
        episode.addDoubt(.fileGone)
      }
      return
    }
    add(part, file, to: &episode)
  }

  /// Adds a file as a part; one that belongs to no other part is left.
  private mutating func add(
    _ part: PartDescription, _ file: LegacyFolder.File, doubts: [MigrationDoubt] = [],
    to episode: inout LegacyEpisode
  ) {
    let named = part.named(
      LegacyName(file.name).fileExtension, beside: episode.files.fileExtension(ofPart:))
    guard let part = named,
      add(
        part, LegacyFile(file.path, part: part.name, size: file.size, doubts: doubts), to: &episode)
    else { return findings.append(.skipped(file.path, file.size, .repeated)) }
  }

  /// Adds a part with its file. Returns false if the episode already has a part of that name.
  private func add(
    _ part: PartDescription, _ file: LegacyFile?, to episode: inout LegacyEpisode
  ) -> Bool {
    do throws(Failure) {
      try episode.description.add(part)
    } catch {
      return false
    }
    if let file { episode.files.append(file) }
    return true
  }
}

/// The video of a record: its URLs and its files on the disk.
private struct DownloadVideo {
  private let record: DownloadRecord
  private let store: LegacyFolder.File
  private var resume: SessionResumeData?
  private(set) var sources: [WebURL] = []
  /// The failure of the first invalid URL of the record; nil if there is none.
  private(set) var failure: Failure?

  init(_ record: DownloadRecord, in store: LegacyFolder.File) {
    self.record = record
    self.store = store
    if let url = record.url { add(url) }
  }

  private mutating func add(_ url: String) {
    do throws(Failure) {
      let url = try WebURL(url)
      if !sources.contains(url) { sources.append(url) }
    } catch {
      failure = failure ?? error
    }
  }

  /// Reads the resume data. Returns the failure if they cannot be read, else nil.
  ///
  /// - Throws: `resources-short`.
  mutating func readResumeData() throws(Failure) -> Failure? {
    guard let bytes = record.resumeData else { return nil }
    do throws(Failure) {
      resume = SessionResumeData(try PropertyList(bytes))
    } catch {
      guard error.code != .resourcesShort else { throw error }
      return error
    }
    guard let resume else { return .unreadableRecord("it is not resume data of NSURLSession") }
    add(resume.url)
    return nil
  }

  /// Sets the standing of the episode, and its complete or partial video file.
  ///
  /// - Parameter file: the file that the record names.
  func setFile(
    _ file: LegacyFolder.File?, in files: inout DownloadFiles, _ episode: inout LegacyEpisode
  ) throws {
    let state = record.state
    if let file {
      if state == .finished || state == nil || file.size == record.size {
        episode.status = .downloaded
        var held = LegacyFile(file.path, part: PartRole.video.rawValue, size: file.size)
        if let size = record.size, size != file.size { held.doubts.append(.otherSize) }
        episode.files.append(held)
        return
      }
      let held = ByteRangeSet([ByteRange(0..<file.size.bytes)])
      episode.partial = LegacyPartial(file.path, completedRanges: held)
      episode.partial?.total = record.size.flatMap { $0 < file.size ? nil : $0 }
    }
    switch state {
    case .removed: episode.status = .removed
    case .finished:
      episode.status = .missing
      episode.doubts.append(.fileGone)
    case .queued, .paused, .failed: episode.status = .requested
    case nil: episode.status = resume == nil ? .known : .requested
    }
    if episode.partial == nil, state != .removed, state != .finished, let resume,
      let name = resume.fileName, let file = try files.claim(name, size: nil, near: store.path)
    {
      episode.partial = resume.partial(in: file, total: record.size)
    }
    if sources.isEmpty, episode.status == .requested {
      episode.status = .known
      episode.doubts.append(.noSource)
    }
  }

  /// Returns the part. It has no size if the size of the file differs from that of the record.
  func description(held: LegacyFile?) -> PartDescription {
    guard !sources.isEmpty else { return PartDescription(role: .video, variants: []) }
    let size = held.map { $0.size == record.size } ?? true ? record.size : nil
    return PartDescription(
      role: .video, variants: [VariantDescription(sources: sources, size: size)])
  }
}

extension Failure {
  static func unreadableRecord(_ reason: String) -> Failure {
    Failure(.recordUnreadable, "a record cannot be read: \(reason)")
  }
}
