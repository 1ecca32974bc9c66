import SystemPackage
import VmxLibrary
import VmxModel
import VmxNaming

// yt-dlp downloads picture and sound to `STEM.f137.mp4` and `STEM.f140.m4a`, merges them to
// `STEM.temp.mp4`, and renames that to `STEM.mp4`. An interrupted run leaves some of these files.
// Each of them plays, but without sound or picture, so none of them is a film.

/// The files that interrupted downloads of several streams have left in a folder, by the stem of
/// their video.
struct YtDlpStreams {
  /// The parsed name of such a file.
  private struct Name {
    /// The path of the video without its extension.
    let stem: String
    /// The format after the `f`; nil for `temp`.
    let format: String?
    /// Whether the file is complete by its name.
    let isWhole: Bool

    /// Parses the name of a file; nil if it has another form.
    init?(_ name: String) {
      let path = LegacyName(name)
      var words = path.last.split(separator: ".", omittingEmptySubsequences: false)[...]
      var isWhole = true
      while let last = words.last, last == "part" || last == "ytdl" || last.hasPrefix("part-Frag") {
        words.removeLast()
        isWhole = false
      }
      guard let ending = words.popLast(), CompanionFileName.isVideo(String(ending)),
        let mark = words.popLast(), !words.isEmpty
      else { return nil }
      let format = mark.dropFirst()
      let isFormat =
        mark.first == "f" && !format.isEmpty
        && format.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_+".utf8.contains($0) }
      guard isFormat || mark == "temp" else { return nil }
      self.isWhole = isWhole
      self.format = isFormat ? String(format) : nil
      let stem = words.joined(separator: ".")
      self.stem = path.folder.isEmpty ? stem : "\(path.folder)/\(stem)"
    }

    /// Whether the mark cannot be a word of a title: `temp`, and the numbers of formats.
    var isCertain: Bool {
      guard let format else { return true }
      let digits = format.prefix { $0.isASCII && $0.isNumber }
      let rest = format.dropFirst(digits.count)
      return digits.count > 1 && (rest.isEmpty || rest.first == "-")
    }
  }

  private let counts: [String: Int]
  private let videos: Set<String>

  /// Groups files by the stems of their videos.
  init(_ files: [LegacyFolder.File]) {
    counts = files.reduce(into: [:]) { counts, file in
      if let name = Name(file.name) { counts[name.stem, default: 0] += 1 }
    }
    let paths = files.map { LegacyName($0.name) }
    videos = Set(paths.filter { CompanionFileName.isVideo($0.fileExtension) }.map(\.path))
  }

  /// Whether a file shows by its name, or by the files beside it, that yt-dlp has left it.
  ///
  /// - Parameter isOfYtDlp: whether the folder is known to be one of yt-dlp.
  func isLeft(_ file: LegacyFolder.File, isOfYtDlp: Bool) -> Bool {
    guard let name = Name(file.name), name.isWhole else { return false }
    let hasSiblings = counts[name.stem] ?? 0 > 1 || videos.contains(name.stem)
    return hasSiblings || name.isCertain && (isOfYtDlp || name.stem.hasSuffix("]"))
  }

  /// Whether the whole video is beside a file, so that nothing is missing.
  private func hasVideo(beside file: LegacyFolder.File) -> Bool {
    Name(file.name).map { videos.contains($0.stem) } ?? false
  }

  /// Returns the URL of the page of a file of an interrupted download, from the id in its name,
  /// such as `NAME [ID].f137.mp4.part`.
  static func page(of file: LegacyFolder.File) -> String? {
    let name = LegacyName(file.name).last
    return name.lastIndex(of: "]").flatMap { SiteID.bracketed(in: String(name[...$0])) }
      .flatMap(SiteID.page)
  }

  /// Returns the finding of a left file.
  func finding(of file: LegacyFolder.File) -> LegacyFinding {
    hasVideo(beside: file)
      ? .skipped(file.path, file.size, .noPart)
      : .left(file, .oneStream, page: Self.page(of: file))
  }
}
