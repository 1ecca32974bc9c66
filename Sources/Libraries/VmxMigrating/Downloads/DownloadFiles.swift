import SystemPackage
import VmxModel
import VmxSystem

/// The files in the folder of a store of downloads. Records name them by their base names alone: the
/// paths are those of another machine.
struct DownloadFiles {
  /// The folders beside a store that was named alone.
  private static let usual = ["", "files", "tmp"]

  private let folder: LegacyFolder
  private let byName: [String: [LegacyFolder.File]]
  private var taken: Set<String>

  /// Creates the files of a folder.
  ///
  /// - Parameter records: the names of the stores, which become no part.
  init(_ folder: LegacyFolder, without records: Set<String>) {
    self.folder = folder
    byName = Dictionary(grouping: folder.files.filter { !records.contains($0.name) }) {
      LegacyName($0.name).last
    }
    taken = records
  }

  /// Returns the file of a base name; of several the one of that size, else the first. It then
  /// belongs to a record.
  ///
  /// - Throws: `FileError`.
  mutating func take(_ name: String, size: ByteCount?) throws -> LegacyFolder.File? {
    let files = (byName[name] ?? []) + (try beside(name))
    guard let file = files.first(where: { $0.size == size }) ?? files.first else { return nil }
    taken.insert(file.name)
    return file
  }

  /// Whether a record already has the file of this name.
  func isTaken(_ file: LegacyFolder.File) -> Bool { taken.contains(file.name) }

  /// Returns a file of a store that was named alone.
  private func beside(_ name: String) throws -> [LegacyFolder.File] {
    guard folder.isSingleFile, !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(0x2F)
    else { return [] }
    return try Self.usual.compactMap { place in
      let path = place.isEmpty ? name : "\(place)/\(name)"
      let file = folder.path.pushing(FilePath(path))
      guard !taken.contains(path), let facts = try FileFacts.of(file), facts.isRegular else {
        return nil
      }
      return LegacyFolder.File(path: file, name: path, size: ByteCount(clamping: facts.size))
    }
  }

  /// Takes the files beside a video whose names begin with one of the stems.
  mutating func takeCompanions(
    of video: LegacyFolder.File, stems: [String]
  ) -> [(file: LegacyFolder.File, name: CompanionFileName)] {
    let place = LegacyName(video.name).folder
    var found: [(LegacyFolder.File, CompanionFileName)] = []
    for file in folder.files where !taken.contains(file.name) {
      let name = LegacyName(file.name)
      guard name.folder == place,
        let companion = stems.lazy.compactMap({ CompanionFileName(name.last, beside: $0) }).first,
        [.subtitle, .image, .key].contains(companion.role)
      else { continue }
      taken.insert(file.name)
      found.append((file, companion))
    }
    return found
  }

  /// Returns the findings of the files that no record names.
  func orphans() throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    let rest = folder.keeping { file in
      guard !taken.contains(file.name) else { return false }
      let name = LegacyName(file.name)
      guard name.fileExtension == "tmp" || name.last.hasPrefix("CFNetworkDownload_") else {
        return true
      }
      findings.append(.left(file.path, file.size, .noSource))
      return false
    }
    return findings
      + (try TreeReader().findings(in: rest)).map { finding in
        guard case .episode(var episode) = finding else { return finding }
        episode.doubts.append(.unlisted)
        return .episode(episode)
      }
  }
}
