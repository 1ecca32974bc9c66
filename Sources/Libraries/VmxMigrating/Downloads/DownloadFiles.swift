import SystemPackage
import VmxModel
import VmxNaming
import VmxSystem

/// The files in the folder of a store of downloads. They are found by the base names in the
/// records, since the recorded paths are of another machine.
struct DownloadFiles {
  /// The folders to search next to a store that the user named as a single file.
  private static let defaultFolders = ["", "files", "tmp"]

  private let folder: LegacyFolder
  private let byName: [String: [LegacyFolder.File]]
  private var claimed: Set<FilePath>

  /// Creates the files of a folder.
  ///
  /// - Parameter records: the paths of the stores, which are not media files.
  init(_ folder: LegacyFolder, without records: Set<FilePath>) {
    self.folder = folder
    byName = Dictionary(grouping: folder.files.filter { !records.contains($0.path) }) {
      LegacyName($0.name).last
    }
    claimed = records
  }

  /// Returns a file with this base name, and marks it as taken by a record. Among several, it
  /// prefers files of the given size, and then the file nearest to the store.
  ///
  /// - Throws: `FileError`.
  mutating func claim(
    _ name: String, size: ByteCount?, near store: FilePath
  ) throws -> LegacyFolder.File? {
    let files = (byName[name] ?? []) + (try filesNextToStores(name))
    func distance(_ file: LegacyFolder.File) -> Int {
      zip(file.path.components, store.components).prefix { $0 == $1 }.count
    }
    let sized = files.filter { $0.size == size }
    guard let file = (sized.isEmpty ? files : sized).max(by: { distance($0) < distance($1) })
    else { return nil }
    claimed.insert(file.path)
    return file
  }

  /// Returns the files with this base name next to stores that the user named as single files.
  private func filesNextToStores(_ name: String) throws -> [LegacyFolder.File] {
    guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(0x2F) else { return [] }
    let folders = Set(folder.namedFiles.map(\.folder)).sorted { $0.string < $1.string }
    return try folders.flatMap { parent in
      try Self.defaultFolders.compactMap { below in
        let file = (below.isEmpty ? parent : parent.appending(below)).appending(name)
        guard !claimed.contains(file), let facts = try FileFacts.of(file), facts.isRegular else {
          return nil
        }
        return LegacyFolder.File(
          path: file, name: "\(file)", size: ByteCount(clamping: facts.size))
      }
    }
  }

  /// Returns the files next to a video whose names begin with one of the stems, and marks them as
  /// taken.
  mutating func claimCompanions(
    of video: LegacyFolder.File, stems: [String]
  ) -> [(file: LegacyFolder.File, name: CompanionFileName)] {
    let parent = LegacyName(video.name).folder
    var found: [(LegacyFolder.File, CompanionFileName)] = []
    for file in folder.files where !claimed.contains(file.path) {
      let name = LegacyName(file.name)
      guard name.folder == parent,
        let companion = stems.lazy.compactMap({ CompanionFileName(name.last, beside: $0) }).first,
        [.subtitle, .image, .key].contains(companion.role)
      else { continue }
      claimed.insert(file.path)
      found.append((file, companion))
    }
    return found
  }

  /// Returns the findings of the files that no record names.
  func orphans() throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    let rest = folder.keeping { file in
      guard !claimed.contains(file.path) else { return false }
      let name = LegacyName(file.name)
      guard name.fileExtension == "tmp" || name.last.hasPrefix("CFNetworkDownload_") else {
        return true
      }
      findings.append(.skipped(file.path, file.size, .noSource))
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
