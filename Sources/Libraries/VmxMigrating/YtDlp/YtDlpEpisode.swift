import SystemPackage
import VmxLibrary
import VmxModel
import VmxNaming

/// The episode of an information file, with the files of the same stem.
struct YtDlpEpisode {
  /// The maximum size in bytes of a description file.
  private static let maxSummaryBytes: Int64 = 1 << 20
  private static let soundOnly: Set<String> = [
    "m4a", "mp3", "aac", "flac", "wav", "ogg", "opus",
  ]

  private let stem: String
  private let info: YtDlpInfo
  private let record: LegacyFolder.File
  private let files: [(file: LegacyFolder.File, name: YtDlpFileName)]

  init(
    _ stem: String, info: YtDlpInfo, record: LegacyFolder.File, files: [LegacyFolder.File]
  ) {
    self.stem = stem
    self.info = info
    self.record = record
    // `STEM.jpg` is taken before `STEM.0.jpg`.
    self.files = files.map { ($0, YtDlpFileName($0, stem: stem)) }.sorted {
      ($0.file.name.utf8.count, $0.file.name) < ($1.file.name.utf8.count, $1.file.name)
    }
  }

  /// Returns the episode, and the files that are not migrated.
  ///
  /// - Throws: `bad-line` if two parts have one name.
  func findings(_ archive: inout DownloadArchive) throws -> [LegacyFinding] {
    var episode = LegacyEpisode(.ytDlp, record: "\(record.path)")
    episode.description = info.description
    if episode.description.show == nil { placeByName(&episode.description) }
    episode.evidence = [LegacyName(record.name).last]
    let line = archive.claim(info.archiveLines)
    let video = video
    var findings: [LegacyFinding] = []
    if let video {
      episode.status = .downloaded
      episode.evidence.insert(LegacyName(video.name).last, at: 0)
    } else if !unfinished.isEmpty {
      findings += request(&episode)
    } else {
      episode.status = .known
      let isLeft = files.contains { $0.name == .format }
      episode.doubts.append(isLeft ? .oneStream : line == nil ? .fileGone : .onlyInArchive)
    }
    episode.evidence += [line].compactMap { $0 }
    var parts = TreeParts(stem: stem, video: video)
    for (file, name) in files where file != video {
      switch name {
      case .video: findings.append(.skipped(file.path, file.size, .repeated))
      case .format:
        findings.append(
          video == nil
            ? .left(file, .oneStream, page: episode.description.pageURL)
            : .skipped(file.path, file.size, .noPart))
      case .part, .fragment:
        // `request` reports those of an episode without its video.
        if video != nil { findings.append(.skipped(file.path, file.size, .repeated)) }
      case .companion:
        if file.name.hasSuffix(".description") {
          findings += Self.readSummary(file, &episode)
        } else if episode.doubts.contains(.onlyInArchive)
          || LegacyName(file.name).fileExtension == "json"
        {
          findings.append(.skipped(file.path, file.size, .noPart))
        } else if let left = parts.add(file, language: language(of: file)) {
          findings.append(left)
        }
      }
    }
    let source = episode.description.video
    for part in parts.descriptions where part.role != .video || source == nil {
      try episode.description.add(part)
    }
    episode.files = parts.files.map { file in
      var file = file
      // yt-dlp changes a file when it embeds metadata, so a different size is only a doubt.
      let isOther = info.size.map { $0 != file.size } ?? false
      if file.path == video?.path, isOther, !info.isMerged { file.doubts.append(.otherSize) }
      return file
    }
    return [.episode(episode)] + findings
  }

  /// The complete video: the file with the extension of the record, or else another video, or else
  /// audio.
  private var video: LegacyFolder.File? {
    func rank(_ ending: String) -> Int {
      ending == info.fileExtension ? 0 : Self.soundOnly.contains(ending) ? 2 : 1
    }
    let videos = files.compactMap { file, name -> (Int, LegacyFolder.File)? in
      if case .video(let ending) = name { (rank(ending), file) } else { nil }
    }
    return videos.min { $0.0 < $1.0 }?.1
  }

  private var unfinished: [LegacyFolder.File] {
    files.filter { $0.name == .part || $0.name == .fragment }.map(\.file)
  }

  /// Marks the episode as requested. Its partial file is used only if the source can be fetched by
  /// ranges.
  ///
  /// - Returns: the unfinished files that cannot be continued.
  private func request(_ episode: inout LegacyEpisode) -> [LegacyFinding] {
    episode.status = .requested
    guard unfinished.count == 1, files.contains(where: { $0.name == .part }),
      let source = source
    else {
      episode.doubts.append(.noSource)
      // Without a source, a request could only fail.
      episode.status = .known
      return unfinished.map { .left($0, .noSource, page: episode.description.pageURL) }
    }
    let file = unfinished[0]
    var partial = LegacyPartial(
      file.path, completedRanges: ByteRangeSet([ByteRange(0..<file.size.bytes)]))
    partial.total = source.size
    episode.doubts.append(.oldSource)
    if let total = source.size, total < file.size {
      partial.total = nil
      episode.doubts.append(.otherSize)
    }
    episode.partial = partial
    episode.evidence.insert(LegacyName(file.name).last, at: 0)
    return add(source, to: &episode)
  }

  /// Adds the video with its source.
  private func add(
    _ source: VariantDescription, to episode: inout LegacyEpisode
  ) -> [LegacyFinding] {
    do throws(Failure) {
      try episode.description.add(PartDescription(role: .video, variants: [source]))
      return []
    } catch {
      return [.refused("\(record.path)", error)]
    }
  }

  private var source: VariantDescription? {
    do throws(Failure) {
      return try info.source()
    } catch {
      // A stream or several files cannot be resumed by ranges.
      return nil
    }
  }

  /// Returns the language of subtitles with the name ending of yt-dlp, such as `.en-orig.vtt`; nil
  /// for other names.
  private func language(of file: LegacyFolder.File) -> String? {
    let words = LegacyName(file.name).last.dropFirst(stem.count + 1).split(separator: ".")
    return words.count == 2 ? LanguageName.tag(ofTrack: String(words[0])) : nil
  }

  /// Sets the show and number from the path, for a record without a show.
  private func placeByName(_ description: inout EpisodeDescription) {
    let folder = LegacyName(record.path.string).folder
    let name = EpisodeFileName("\(folder)/\(stem).mp4")
    let show = name.showTitle ?? LegacyName(folder).last
    description.showTitle = show.isEmpty ? nil : show
    let isSame = description.season == nil || description.season == name.season
    if description.number == nil, name.season != nil, isSame {
      (description.season, description.number) = (name.season, name.number)
    }
  }

  /// Sets the summary from a description file, unless the record has one.
  ///
  /// - Returns: the finding of a file that cannot be read.
  static func readSummary(
    _ file: LegacyFolder.File, _ episode: inout LegacyEpisode
  ) -> [LegacyFinding] {
    episode.evidence.append(LegacyName(file.name).last)
    guard episode.description.summary == nil else { return [] }
    do throws(Failure) {
      let bytes = try file.record(upTo: maxSummaryBytes)
      guard let text = String(validating: bytes, as: UTF8.self)?.replacing("\0", with: "") else {
        throw Failure(.recordUnreadable, "'\(file.path)' is not UTF-8")
      }
      if !text.allSatisfy(\.isWhitespace) { episode.description.summary = text }
      return []
    } catch {
      return [.refused("\(file.path)", error)]
    }
  }
}
