import VmxModel
import VmxNaming

/// The files in folders of subtitles, which belong to videos in the folder above:
/// `Film/Subs/2_English.srt`, `Season 1/Subs/NAME/2_English.srt`.
struct SubtitleFolders {
  /// A subtitle file, and the stem of its video if a folder names it.
  private struct Entry {
    let file: LegacyFolder.File
    let stem: String?
  }

  private static let names: Set<String> = ["subs", "sub", "subtitles", "untertitel", "subtitulos"]

  /// The subtitles by the folder of their videos.
  private var entries: [String: [Entry]] = [:]

  /// Takes the subtitles out of the folders of a tree, by path.
  init(from folders: inout [String: [LegacyFolder.File]]) {
    for (path, files) in folders {
      guard let (owner, stem) = Self.owner(of: path),
        folders[owner]?.contains(where: Self.isVideo) ?? false,
        !files.contains(where: Self.isVideo)
      else { continue }
      let isSubtitle = { (file: LegacyFolder.File) in
        SubtitleFormat.fileExtensions.contains(LegacyName(file.name).fileExtension)
      }
      entries[owner, default: []] += files.filter(isSubtitle).map { Entry(file: $0, stem: stem) }
      folders[path] = files.filter { !isSubtitle($0) }
    }
  }

  /// Removes and returns the subtitles of the videos in a folder by their stems, and those that
  /// belong to none of them. A folder with one episode has the subtitles that name no video.
  mutating func take(
    for videos: [LegacyFolder.File], in folder: String
  ) -> (byStem: [String: [LegacyFolder.File]], others: [LegacyFolder.File]) {
    guard let entries = entries.removeValue(forKey: folder) else { return ([:], []) }
    let stems = Set(videos.map { LegacyName($0.name).stem })
    let episodes = videos.filter { !EpisodeFileName(LegacyName($0.name).last).isExtra }
    let only = episodes.count == 1 ? LegacyName(episodes[0].name).stem : nil
    var byStem: [String: [LegacyFolder.File]] = [:]
    var others: [LegacyFolder.File] = []
    for entry in entries.sorted(by: { $0.file.name < $1.file.name }) {
      let named =
        entry.stem.flatMap { stems.contains($0) ? $0 : nil }
        ?? LegacyName(entry.file.name).prefix(before: ".-_ ", in: stems.contains)
      if let stem = named ?? only {
        byStem[stem, default: []].append(entry.file)
      } else {
        others.append(entry.file)
      }
    }
    return (byStem, others)
  }

  /// Returns the folder whose videos the subtitles of a folder belong to, and the stem of the video
  /// if the folder has its name.
  private static func owner(of path: String) -> (folder: String, stem: String?)? {
    let name = LegacyName(path)
    if names.contains(name.last.lowercased()) { return (name.folder, nil) }
    let parent = LegacyName(name.folder)
    guard names.contains(parent.last.lowercased()) else { return nil }
    return (parent.folder, name.last)
  }

  private static func isVideo(_ file: LegacyFolder.File) -> Bool {
    CompanionFileName.isVideo(LegacyName(file.name).fileExtension)
  }
}
