import SystemPackage
import VmxMarkup
import VmxModel
import VmxSystem

/// A file that another program has begun, with the address where the rest is.
struct UnfinishedFile {
  /// The extended attribute with the address, as wget, curl and browsers write it.
  private static let attribute = "user.xdg.origin.url"
  private static let longestAddress = 8192

  /// The file, under the name of the whole.
  let file: LegacyFolder.File
  /// The bytes that it holds.
  var partial: LegacyPartial
  /// The addresses of the whole; the first is asked.
  var sources: [WebURL] = []
  /// The records that tell so.
  var evidence: [String] = []

  /// - Parameter name: the path of the whole below the folder; nil if the file has its name.
  init(_ file: LegacyFolder.File, name: String? = nil, held: ByteRangeSet) {
    self.file = LegacyFolder.File(path: file.path, name: name ?? file.name, size: file.size)
    partial = LegacyPartial(file.path, held: held)
    evidence = [LegacyName(file.name).last]
  }

  /// A file whose bytes came in their order.
  init(_ file: LegacyFolder.File, name: String? = nil) {
    self.init(file, name: name, held: ByteRangeSet([ByteRange(0..<file.size.bytes)]))
  }

  /// Adds the address that the user gave, else that of the file's extended attribute.
  ///
  /// - Parameter given: the addresses that the user gave.
  mutating func addSource(_ given: LegacySources) {
    if let url = given.url(of: file.path) {
      sources.insert(url, at: 0)
      evidence.append("--source")
    } else if let url = Self.origin(of: file.path) {
      sources.append(url)
      evidence.append(Self.attribute)
    }
  }

  /// Returns the address in the extended attributes of a file.
  static func origin(of path: FilePath) -> WebURL? {
    guard let bytes = extendedAttribute(attribute, of: path, upTo: longestAddress),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    do throws(Failure) {
      return try WebURL(text)
    } catch {
      // A `file:` or `data:` address, or none at all: the file has no origin that can be asked.
      return nil
    }
  }
}

extension [UnfinishedFile] {
  /// Returns the findings of a folder's files, of which these are unfinished: an unfinished one is
  /// read as its whole would be, by its name and the files beside it.
  ///
  /// - Parameter whole: the other files.
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
        findings.append(.left(file.path, file.size, .noSource))
        continue
      }
      guard names.insert(file.name).inserted else {
        findings.append(.left(file.path, file.size, .repeated))
        continue
      }
      files.append(file)
      byPath[file.path] = unfinished
    }
    for finding in try TreeReader(of: kind).findings(in: folder.replacing(files)) {
      guard case .episode(var episode) = finding,
        let place = episode.files.firstIndex(where: { byPath[$0.path] != nil }),
        let unfinished = byPath[episode.files[place].path]
      else {
        findings.append(finding)
        continue
      }
      episode.files.remove(at: place)
      episode.take(unfinished)
      findings.append(.episode(episode))
    }
    findings.withholdSharedKeys()
    return findings
  }
}

extension LegacyEpisode {
  /// Makes the episode one that is asked for, with bytes of its video.
  fileprivate mutating func take(_ unfinished: UnfinishedFile) {
    standing = .requested
    evidence = unfinished.evidence + evidence.dropFirst()
    for url in unfinished.sources { description.addVideo(from: url) }
    partial = unfinished.partial
    // The folder of a single download names no show; that around it may.
    let folder = LegacyName(unfinished.file.path.removingLastComponent().string)
    if folder.fileExtension == "download", description.showTitle == folder.last {
      let around = LegacyName(folder.folder).last
      description.showTitle = around.isEmpty ? nil : around
    }
  }
}
