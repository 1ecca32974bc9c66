import VmxModel

/// Titles in the tags of containers. Many programs write the name of the file or of themselves.
package enum TagTitle {
  private static let maxLength = 300

  /// Whether the text describes the episode: it is not the name of a release, of the file or of its
  /// place, and no URL.
  ///
  /// - Parameter stem: the file name without its extension.
  package static func isTitle(_ text: String, ofFile stem: String) -> Bool {
    guard text.count <= maxLength, text.contains(where: \.isLetter), !text.contains("://"),
      !text.lowercased().hasPrefix("www."), !isOfRelease(text)
    else { return false }
    let reading = EpisodeFileName("\(text).mp4")
    return reading.number == nil
      && EpisodeSigns.folded(title: text) != EpisodeSigns.folded(title: stem)
  }

  /// Whether a text has technical words, such as `1080p` and `x264`.
  package static func isOfRelease(_ text: String) -> Bool {
    let name = NameText(text)
    return ReleaseTags.start(in: name, from: 0) < name.end
  }
}
