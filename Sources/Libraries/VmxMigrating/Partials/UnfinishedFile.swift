import SystemPackage
import VmxMarkup
import VmxMedia
import VmxModel
import VmxNaming
import VmxSystem

/// A partial file of another program, with the URLs from which the rest can be fetched.
struct UnfinishedFile {
  /// The file, with the name of the complete file.
  let file: LegacyFolder.File
  /// The partial file with its held ranges.
  var partial: LegacyPartial
  /// The URLs of the complete file; a fetch begins with the first.
  var sources: [WebURL] = []
  /// The names of the file, the records and the attributes from which this was derived.
  var evidence: [String] = []

  /// - Parameter name: the path of the complete file below the folder; nil if the file already has
  ///   it.
  init(_ file: LegacyFolder.File, name: String? = nil, held: ByteRangeSet) {
    self.file = LegacyFolder.File(path: file.path, name: name ?? file.name, size: file.size)
    partial = LegacyPartial(file.path, completedRanges: held)
    evidence = [LegacyName(file.name).last]
  }

  /// Creates a file that was written sequentially, so that it holds all bytes up to its size.
  init(_ file: LegacyFolder.File, name: String? = nil) {
    self.init(file, name: name, held: ByteRangeSet([ByteRange(0..<file.size.bytes)]))
  }

  /// Creates a file that was written sequentially, with its source. Where its name tells no kind of
  /// video, as `Unconfirmed 12345.crdownload`, the URL and the first bytes do.
  ///
  /// - Parameters:
  ///   - name: the path of the complete file below the folder, as far as the name of the file tells
  ///     it.
  ///   - given: the source URLs that the user gave.
  init(_ file: LegacyFolder.File, named name: String, _ given: LegacySources) throws {
    self.init(file, name: name)
    addSource(given)
    guard let url = sources.first, !CompanionFileName.isVideo(LegacyName(name).fileExtension) else {
      return
    }
    let folder = LegacyName(name).folder
    var last = LegacyName(url.lastPathComponent).last
    if !CompanionFileName.isVideo(LegacyName(last).fileExtension) {
      let first = try RegularFile.prefix(of: file.path, upTo: MediaKind.sniffLength)
      guard let kind = MediaKind.sniff(first), kind.isVideoContainer else { return }
      last = "\(LegacyName(name).last).\(kind.fileExtension)"
    }
    let (sources, evidence) = (sources, evidence)
    self.init(file, name: folder.isEmpty ? last : "\(folder)/\(last)")
    (self.sources, self.evidence) = (sources, evidence)
  }

  /// Adds the URL that the user gave, or else that of the file's extended attribute.
  ///
  /// - Parameter given: the source URLs that the user gave.
  mutating func addSource(_ given: LegacySources) {
    if let url = given.url(of: file.path) {
      sources.insert(url, at: 0)
      evidence.append("--source")
    } else if let url = MediaTags.source(of: file.path) {
      sources.append(url)
      evidence.append(MediaTags.sourceAttribute)
    }
  }
}

extension [UnfinishedFile] {
  /// Returns the findings of a folder that contains these unfinished files. An unfinished file is
  /// described like the complete one, by its name and the files next to it.
  ///
  /// - Parameter whole: the other files of the folder, which are complete.
  func findings(
    of kind: LegacyKind, beside whole: [LegacyFolder.File], in folder: LegacyFolder
  ) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    var files = whole
    var names = Set(whole.map(\.name))
    var byPath: [FilePath: UnfinishedFile] = [:]
    for unfinished in self {
      let file = unfinished.file
      guard !unfinished.sources.isEmpty else {
        findings.append(.skipped(file.path, file.size, .noSource))
        continue
      }
      guard names.insert(file.name).inserted else {
        findings.append(.skipped(file.path, file.size, .repeated))
        continue
      }
      files.append(file)
      byPath[file.path] = unfinished
    }
    for finding in try TreeReader(of: kind).findings(in: folder.replacing(files)) {
      guard case .episode(var episode) = finding,
        let index = episode.files.firstIndex(where: { byPath[$0.path] != nil }),
        let unfinished = byPath[episode.files[index].path]
      else {
        findings.append(finding)
        continue
      }
      episode.files.remove(at: index)
      episode.addPartial(unfinished)
      findings.append(.episode(episode))
    }
    findings.withholdSharedKeys()
    return findings
  }
}

extension LegacyEpisode {
  /// Marks the episode as requested, and adds the partial file of its video.
  fileprivate mutating func addPartial(_ unfinished: UnfinishedFile) {
    status = .requested
    let own = unfinished.evidence
    evidence = own + evidence.dropFirst().filter { !own.contains($0) }
    for url in unfinished.sources { description.addVideo(from: url) }
    partial = unfinished.partial
    // A `.download` folder does not name the show, but its parent may.
    let folder = LegacyName(unfinished.file.path.removingLastComponent().string)
    if folder.fileExtension == "download", description.showTitle == folder.last {
      let around = LegacyName(folder.folder).last
      description.showTitle = around.isEmpty ? nil : around
    }
  }
}
