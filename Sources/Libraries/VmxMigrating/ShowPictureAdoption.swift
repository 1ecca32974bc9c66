import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxNaming
import VmxStore
import VmxSystem

// A picture in the folder of a show belongs to no episode. Its show is known only from the episodes
// below that folder, and these may come in a later batch of findings. So the pictures are withheld
// until the last batch has been migrated. Sources are never removed: with `--move` a picture stays,
// as `tvshow.nfo` does.

/// Adopts the pictures in the folders of shows.
///
///     let pictures = ShowPictureAdoption(tools, by: .copy, of: .tree)
///     try migrate(pictures.withheld(from: findings))
///     try pictures.finish { step, result in … }
package final class ShowPictureAdoption {
  /// The names of pictures by preference.
  private static let names = ["poster", "folder", "cover"]

  private let tools: LibraryTools
  private let method: Migrator.Method?
  private let kind: LegacyKind
  private var pictures: [(path: FilePath, finding: LegacyFinding)] = []
  private var videos: [FilePath: [EpisodeID: String]] = [:]

  /// Creates an adoption for an input.
  ///
  /// - Parameters:
  ///   - tools: with `inPlace`, their root for new files is the migrated folder.
  ///   - method: how files get into the library; nil for a plan.
  package init(_ tools: LibraryTools, by method: Migrator.Method?, of kind: LegacyKind) {
    (self.tools, self.method, self.kind) = (tools, method, kind)
  }

  /// Withholds the pictures of shows, and returns the other findings.
  package func withheld(from findings: [LegacyFinding]) -> [LegacyFinding] {
    findings.filter { finding in
      guard case .skipped(let path, _, .ofShow) = finding,
        LibraryLayout.isShowPicture((path.lastComponent?.string ?? "").utf8)
      else { return true }
      pictures.append((path, finding))
      return false
    }
  }

  /// Notes where the video of an episode was found, and where it is in the library.
  package func note(_ step: MigrationStep) {
    guard step.part == PartRole.video.rawValue, let id = step.episode else { return }
    let folder = FilePath(step.path).folder
    let isOfSeason = SeasonFolder(folder.lastComponent?.string ?? "") != nil
    videos[isOfSeason ? folder.folder : folder, default: [:]][id] = step.target ?? ""
  }

  /// Adopts one picture of each folder, and reports all.
  ///
  /// - Throws: errors of the store and of `report`.
  package func finish(_ report: Migrator.Report) throws {
    let folders = Dictionary(grouping: pictures) { $0.path.folder }
    for (folder, found) in folders.sorted(by: { $0.key.string < $1.key.string }) {
      let ordered = found.sorted { Self.rank($0.path) < Self.rank($1.path) }
      var isFirst = true
      for (path, finding) in ordered {
        guard let row = finding.row(of: kind) else { continue }
        var (step, result) = (row.step, row.result)
        if isFirst, !tools.shouldStop() {
          do {
            result = try adopt(path, in: folder, &step) ?? result
          } catch {
            result = .failed(Failure(error))
          }
          isFirst = !step.doubts.isEmpty
        }
        try report(step, result)
      }
    }
  }

  private static func rank(_ path: FilePath) -> String {
    let name = path.lastComponent?.string ?? ""
    let rank = names.firstIndex { name.lowercased().hasPrefix($0) } ?? names.count
    return "\(rank) \(name)"
  }

  /// Adopts a picture; returns nil for one that is not that of exactly one show.
  private func adopt(
    _ path: FilePath, in folder: FilePath, _ step: inout MigrationStep
  ) throws -> OperationResult? {
    guard let videos = videos[folder], let (id, video) = videos.min(by: { $0.key < $1.key }),
      videos.keys.allSatisfy({ $0.show == id.show }),
      let bytes = try readFile(path, limit: ImageCache.maxImageSize),
      let type = MediaKind.sniff(bytes), type == .jpeg || type == .png
    else { return nil }
    let snapshot = try tools.store.snapshot()
    let episode = try snapshot.episode(id)
    let digest = ShowPicture.digest(of: bytes)
    let isInPlace = method == .inPlace
    let target: String?
    if isInPlace {
      target = try ownPath(of: path)
    } else {
      target = LibraryLayout.showDescription(
        above: episode?.readyVideo?.path ?? video, of: id,
        title: episode?.showTitle ?? folder.lastComponent?.string ?? ""
      )
      .map {
        FilePath($0).folder.appending(
          LibraryLayout.showPicture(withExtension: type.fileExtension)
        ).string
      }
    }
    guard let target else { return nil }
    if let known = snapshot.readableShow(id.show)?.picture, known.file != nil {
      step.doubts = []
      return .unchanged(known.sha256 == digest ? .upToDate : .otherBytes)
    }
    (step.target, step.doubts) = (target, [])
    guard method != nil else { return .planned }
    let name = FilePath(target).lastComponent?.string ?? ""
    try record(id.show) { picture in
      picture.record(digest, file: name, type: "image/\(type.rawValue)")
      picture.isAdopted = isInPlace
      if !isInPlace { picture.url = "" }
    }
    if !isInPlace {
      let root = try tools.mediaRoots.forNewFiles()
      let files = try ShowPictureFiles(in: root.folder.appending(target).folder, of: nil)
      guard files.others.isEmpty else { return .unchanged(.otherBytes) }
      try files.write(bytes, as: name)
    }
    return .done
  }

  /// Returns the path of a picture below the root that the migrated folder has become, if it is in
  /// a first folder of that root.
  private func ownPath(of path: FilePath) throws -> String? {
    var below = path
    guard below.removePrefix(try tools.mediaRoots.forNewFiles().folder),
      below.components.count == 2
    else { return nil }
    return below.string
  }

  private func record(_ slug: String, _ change: (inout ShowPicture) -> Void) throws {
    try tools.store.update(.durable) { transaction in
      let before = try transaction.knownShow(slug)
      var show = before
      var picture = before.picture ?? ShowPicture(url: "", isForeign: false)
      change(&picture)
      show.picture = picture
      // A feed does not replace a picture that the user had.
      if !picture.isAdopted { show.by[show: .picture] = .person }
      try transaction.write(show, replacing: before)
    }
    ShowSidecar.refresh(slug, on: tools.mediaRoots)
  }
}
