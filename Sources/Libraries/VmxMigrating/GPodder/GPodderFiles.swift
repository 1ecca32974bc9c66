import SystemPackage
import VmxModel
import VmxNaming

/// The files of gPodder's folders, indexed by podcast folder and file name.
struct GPodderFiles {
  /// The suffix of a file that is being downloaded.
  private static let partial = ".partial"

  private let home: LegacyFolder
  private let byKey: [String: LegacyFolder.File]
  private var claimed: Set<String>
  /// The id of the episode that names a file, by the file's place.
  private var owners: [String: Int64] = [:]
  /// The podcasts. An orphan gets its show title from the podcast of its folder.
  var podcasts: [GPodderPodcast] = []

  /// Creates the files of a home folder.
  ///
  /// - Parameter own: the names of gPodder's own files.
  init(_ home: LegacyFolder, without own: [String]) {
    self.home = home
    byKey = Dictionary(home.files.map { (Self.key($0.name), $0) }) { first, _ in first }
    claimed = Set(own)
  }

  /// Returns the podcast folder and the file name. The downloads folder is omitted, since it may
  /// have any name.
  private static func key(_ name: String) -> String {
    let path = LegacyName(name)
    return "\(LegacyName(path.folder).last)/\(path.last)"
  }

  private static func key(_ name: String, of podcast: GPodderPodcast) -> String {
    "\(LegacyName(podcast.folder).last)/\(LegacyName(name).last)"
  }

  /// Reserves the file that an episode's record names, since the URL of another episode may end
  /// with the same name.
  mutating func reserve(for episode: GPodderEpisode, _ podcast: GPodderPodcast) {
    guard let name = episode.fileName else { return }
    owners[Self.key(name, of: podcast)] = episode.id
  }

  /// Returns the file of an episode under the first name that exists, and marks it as taken. The
  /// file of a removed episode is an orphan.
  mutating func claim(
    _ names: [String], of episode: GPodderEpisode, _ podcast: GPodderPodcast
  ) -> LegacyFolder.File? {
    guard !podcast.folder.isEmpty, episode.state != .deleted else { return nil }
    for name in names where !name.isEmpty {
      let key = Self.key(name, of: podcast)
      guard let file = byKey[key], file.size.bytes > 0,
        owners[key, default: episode.id] == episode.id, claimed.insert(file.name).inserted
      else { continue }
      return file
    }
    return nil
  }

  /// Returns the unfinished file of an episode, and marks it as taken. An empty file is ignored.
  mutating func claimPartial(
    _ names: [String], of episode: GPodderEpisode, _ podcast: GPodderPodcast
  ) -> LegacyFolder.File? {
    claim(names.map { $0 + Self.partial }, of: episode, podcast)
  }

  /// Returns the findings of the files that no episode names.
  ///
  /// - Parameter doubt: the doubt of each.
  func orphans(_ doubt: MigrationDoubt) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    let rest = home.keeping { file in
      guard !claimed.contains(file.name) else { return false }
      let name = LegacyName(file.name)
      let isPartial = name.last.hasSuffix(Self.partial)
      guard isPartial || CompanionFileName.isAudio(name.fileExtension) else { return true }
      let why: MigrationDoubt = isPartial && file.size.bytes > 0 ? .noSource : .noPart
      findings.append(.skipped(file.path, file.size, why))
      return false
    }
    return findings
      + (try TreeReader().findings(in: rest)).map { finding in
        guard case .episode(var episode) = finding else { return finding }
        if !episode.doubts.contains(doubt) { episode.doubts.append(doubt) }
        let folder = episode.files.first?.path.removingLastComponent().lastComponent?.string
        if let folder, let podcast = podcast(of: folder) {
          episode.description.showTitle = podcast.title
        }
        return .episode(episode)
      }
  }

  /// Returns the podcast of a folder; nil if there is none. If the folder is not recorded, gPodder
  /// derives its name from the title, with `_` for characters that file systems refuse.
  private func podcast(of folder: String) -> GPodderPodcast? {
    func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    return podcasts.first { $0.folder == folder }
      ?? podcasts.first {
        $0.folder.isEmpty && !$0.title.isEmpty && plain($0.title) == plain(folder)
      }
  }
}
