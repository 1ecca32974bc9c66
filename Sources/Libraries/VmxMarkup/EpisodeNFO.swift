package import VmxModel

/// The NFO file that Kodi, Jellyfin and Plex read next to a video, an `episodedetails` document.
///
/// It contains only the known metadata of the episode, independent of the episode's state. It
/// therefore changes only with that metadata, unless it also contains the playback state.
package enum EpisodeNFO {
  /// Returns whether the bytes are a show document that vmx wrote.
  package static func isShow(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("<tvshow>") && text.contains(#"<uniqueid type="vmx" default="true">"#)
  }

  /// Returns the episode id in a document that vmx wrote; nil for any other text.
  package static func episode(of bytes: [UInt8]) -> EpisodeID? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstRange(of: #"<uniqueid type="vmx" default="true">"#),
      let end = text[start.upperBound...].firstRange(of: "</uniqueid>")
    else { return nil }
    return EpisodeID(valid: String(text[start.upperBound..<end.lowerBound]))
  }

  /// Generates the document of the episode's show, which Kodi requires in the folder of the show: a
  /// `tvshow` document with the title.
  ///
  /// All episodes of the show yield the same bytes, so the bytes show whether vmx wrote them.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  package static func show(of episode: Episode) throws(Failure) -> [UInt8] {
    try show(titled: episode.showTitle, episode.id.show)
  }

  /// Returns whether the bytes are a show document exactly as vmx wrote it, under any title.
  ///
  /// - Parameter show: the first half of the show's episode ids.
  /// - Throws: `resources-short` if memory is exhausted.
  package static func isUnchangedShow(
    _ bytes: [UInt8], of show: String
  ) throws(Failure) -> Bool {
    guard isShow(bytes), let title = try NFOContents(bytes).documents.first?.title else {
      return false
    }
    return try bytes == self.show(titled: title, show)
  }

  private static func show(titled title: String, _ show: String) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin("tvshow")
    try writer.element("title", title)
    try writer.element("uniqueid", show, attributes: [("type", "vmx"), ("default", "true")])
    try writer.end()
    return try writer.finish()
  }

  /// Generates the document in UTF-8, omitting characters that XML does not allow.
  ///
  /// - Parameter played: the playback state to include; nil for none.
  /// - Throws: `resources-short` if memory is exhausted.
  package static func bytes(
    of episode: Episode, played: NFOPlayed? = nil
  ) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin("episodedetails")
    try writer.element("title", episode.title)
    try writer.element("showtitle", episode.showTitle)
    // As in the file name: a number without a season counts as season 1.
    let season = episode.season ?? episode.number.map { _ in 1 }
    try writer.element("season", season.map { "\($0)" })
    try writer.element("episode", episode.number.map { "\($0)" })
    try writer.element("plot", episode.summary)
    try writer.element("mpaa", episode.ageRating?.text)
    try writer.element("aired", episode.date?.description)
    try played?.write(to: writer)
    try writer.element(
      "uniqueid", episode.id.description, attributes: [("type", "vmx"), ("default", "true")])
    try writer.end()
    return try writer.finish()
  }
}
