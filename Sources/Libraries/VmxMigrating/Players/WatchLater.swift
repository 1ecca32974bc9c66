import SystemPackage
import VmxMarkup
import VmxModel
import VmxNaming
import VmxSystem

// mpv names such a file by the MD5 digest of the path. With the option
// `write-filename-in-watch-later-config`, the first line is a comment with the path.

/// The positions that mpv has saved in its folder `watch_later`.
struct WatchLater {
  private static let folderName = "watch_later"
  private static let limit: Int64 = 64 << 10
  private static let decade = 315_360_000.0

  /// The files with a position.
  let files: [FilePath]
  private var positions: [(file: LegacyFolder.File, video: String, milliseconds: Int64)] = []
  private var nameless: [LegacyFolder.File] = []
  private var refused: [LegacyFinding] = []

  /// Reads the files in a folder.
  init(in folder: LegacyFolder) {
    let found = folder.files.filter { file in
      let name = LegacyName(file.name).last
      return name.utf8.count == 32 && name.allSatisfy { $0.isHexDigit && !$0.isLowercase }
        && file.path.folder.lastComponent?.string == Self.folderName
    }
    files = found.map(\.path)
    for file in found {
      let bytes: [UInt8]
      do {
        bytes = try file.record(upTo: Self.limit)
      } catch {
        refused.append(.refused("\(file.path)", Failure(error)))
        continue
      }
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      let start = lines.first { $0.hasPrefix("start=") }?.dropFirst("start=".count)
      guard let first = lines.first, first.hasPrefix("# "),
        let seconds = start.flatMap({ Double($0) }), (0...Self.decade).contains(seconds)
      else {
        nameless.append(file)
        continue
      }
      positions.append(
        (file, String(first.dropFirst(2)), Int64((seconds * 1000).rounded())))
    }
  }

  /// Returns the positions as marks, and the files without a name of their video.
  func findings(of kind: LegacyKind) -> [LegacyFinding] {
    positions.map { position in
      var episode = LegacyEpisode(kind, record: "\(position.file.path)")
      episode.evidence = ["\(Self.folderName): '\(position.video)'"]
      episode.isOnlyMarks = true
      episode.played = ExternalPlayback(position: position.milliseconds)
      let path = FilePath(position.video)
      let name = EpisodeFileName(position.video)
      episode.description = EpisodeDescription(
        name.episode(describedBy: []), in: name, fileName: path.stem ?? "",
        folder: path.removingLastComponent().lastComponent?.string ?? "", show: nil)
      episode.description.fileName = path.stem
      return .episode(episode)
    } + refused + nameless.map { .skipped($0.path, $0.size, .noPart) }
  }
}
