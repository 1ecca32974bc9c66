import SystemPackage
import VmxModel

/// The files of gPodder's folders, by the folder of their podcast and their name.
struct GPodderFiles {
  /// The ending of a file that is being downloaded.
  private static let partial = ".partial"

  private let home: LegacyFolder
  private let byPlace: [String: LegacyFolder.File]
  private var taken: Set<String>
  /// The episodes that name a file, by its place.
  private var owners: [String: Int64] = [:]
  /// The podcasts, by whose folders orphans find their show.
  var podcasts: [GPodderPodcast] = []

  /// Creates the files of a home folder.
  ///
  /// - Parameter own: the names of the files of gPodder itself.
  init(_ home: LegacyFolder, without own: [String]) {
    self.home = home
    byPlace = Dictionary(home.files.map { (Self.place($0.name), $0) }) { first, _ in first }
    taken = Set(own)
  }

  /// The folder and the name: the folder for all downloads may have any name.
  private static func place(_ name: String) -> String {
    let place = LegacyName(name)
    return "\(LegacyName(place.folder).last)/\(place.last)"
  }

  private static func place(_ name: String, of podcast: GPodderPodcast) -> String {
    "\(LegacyName(podcast.folder).last)/\(LegacyName(name).last)"
  }

  /// Keeps the file that an episode names for it: another one may have an address of that name.
  mutating func reserve(for episode: GPodderEpisode, _ podcast: GPodderPodcast) {
    guard let name = episode.fileName else { return }
    owners[Self.place(name, of: podcast)] = episode.id
  }

  /// Takes the file of an episode by the first name that there is; that of a removed one is an orphan.
  mutating func take(
    _ names: [String], of episode: GPodderEpisode, _ podcast: GPodderPodcast
  ) -> LegacyFolder.File? {
    guard !podcast.folder.isEmpty, episode.state != .deleted else { return nil }
    for name in names where !name.isEmpty {
      let place = Self.place(name, of: podcast)
      guard let file = byPlace[place], file.size.bytes > 0,
        owners[place, default: episode.id] == episode.id, taken.insert(file.name).inserted
      else { continue }
      return file
    }
    return nil
  }

  /// Takes the unfinished file of an episode; one without bytes tells nothing.
  mutating func takePartial(
    _ names: [String], of episode: GPodderEpisode, _ podcast: GPodderPodcast
  ) -> LegacyFolder.File? {
    take(names.map { $0 + Self.partial }, of: episode, podcast)
  }

  /// Returns the findings of the files that no episode names.
  ///
  /// - Parameter doubt: the doubt of each.
  func orphans(_ doubt: LegacyDoubt) throws -> [LegacyFinding] {
    var findings: [LegacyFinding] = []
    let rest = home.keeping { file in
      guard !taken.contains(file.name) else { return false }
      let name = LegacyName(file.name)
      let isPartial = name.last.hasSuffix(Self.partial)
      guard isPartial || GPodderEpisode.isAudio(name.fileExtension) else { return true }
      let why: LegacyDoubt = isPartial && file.size.bytes > 0 ? .noSource : .noPart
      findings.append(.left(file.path, file.size, why))
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

  /// Returns the podcast of a folder. Where the folder is not recorded, gPodder's name of it is the
  /// title, with `_` for characters that file systems refuse.
  private func podcast(of folder: String) -> GPodderPodcast? {
    func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
    return podcasts.first { $0.folder == folder }
      ?? podcasts.first {
        $0.folder.isEmpty && !$0.title.isEmpty && plain($0.title) == plain(folder)
      }
  }
}
