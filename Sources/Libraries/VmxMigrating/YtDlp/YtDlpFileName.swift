import VmxModel
import VmxNaming

/// The kind of a file next to an information file, according to its name.
enum YtDlpFileName: Equatable {
  /// A complete video or audio file, with its extension.
  case video(String)
  /// One of the formats before they are merged: `STEM.f137.mp4`.
  case format
  /// The unfinished file of a single format: `STEM.mp4.part`.
  case part
  /// A fragment of a stream, its state file, or the unfinished file of one of several formats.
  case fragment
  /// Any other file next to a video.
  case companion

  /// Parses the name of a file.
  ///
  /// - Parameter stem: the stem of the information file, with which the name begins.
  init(_ file: LegacyFolder.File, stem: String) {
    let name = LegacyName(file.name).last
    let words = name.dropFirst(stem.count + 1).split(
      separator: ".", omittingEmptySubsequences: false)
    let ending = (words.last ?? "").lowercased()
    if Self.isUnfinished(name) {
      let isSingle = words.count == 2 && CompanionFileName.isVideo(String(words[0]))
      self = isSingle && ending == "part" ? .part : .fragment
    } else if CompanionFileName.isVideo(ending) {
      self = words.count == 1 ? .video(ending) : .format
    } else {
      self = .companion
    }
  }

  /// Whether a name is that of an unfinished file, or of a file that yt-dlp keeps next to one.
  static func isUnfinished(_ name: String) -> Bool { name.hasSuffix(".part") || isFragment(name) }

  /// Whether a name is that of a fragment of a stream, or of its state file.
  static func isFragment(_ name: String) -> Bool {
    name.hasSuffix(".ytdl") || name.contains(".part-Frag")
  }
}
