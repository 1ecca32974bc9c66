import VmxModel

/// The kind of a file beside an information file, by its name.
enum YtDlpFileName: Equatable {
  /// A whole video or its sound, with the extension.
  case video(String)
  /// One of the formats before they are merged: `STEM.f137.mp4`.
  case format
  /// The unfinished file of a single format: `STEM.mp4.part`.
  case part
  /// A piece of a stream, the record of one, or the unfinished file of one of several formats.
  case fragment
  /// Anything else beside a video.
  case companion

  /// Parses the name of a file.
  ///
  /// - Parameter stem: that of the information file, with which the name begins.
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

  /// Whether a name is that of an unfinished file, or of what yt-dlp keeps beside one.
  static func isUnfinished(_ name: String) -> Bool { name.hasSuffix(".part") || isFragment(name) }

  /// Whether a name is that of a piece of a stream, or of the record of one.
  static func isFragment(_ name: String) -> Bool {
    name.hasSuffix(".ytdl") || name.contains(".part-Frag")
  }
}
