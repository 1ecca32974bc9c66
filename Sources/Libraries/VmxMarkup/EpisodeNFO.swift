package import VmxModel

/// What Kodi, Jellyfin and Plex read beside a video, as an `episodedetails` document.
///
/// Only what is known of the episode stands in it; nothing that changes with its state does, so
/// that it changes when the episode itself does.
package enum EpisodeNFO {
  /// What makes the documents, where such files are wanted.
  package static func source(
    isWanted: Bool
  ) -> (@Sendable (Episode) throws -> [UInt8])? {
    guard isWanted else { return nil }
    return { episode in try bytes(of: episode) }
  }

  /// The episode of a document that vmx has written; nil for any other text.
  package static func episode(of bytes: [UInt8]) -> EpisodeID? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let start = text.firstRange(of: #"<uniqueid type="vmx" default="true">"#),
      let end = text[start.upperBound...].firstRange(of: "</uniqueid>")
    else { return nil }
    return EpisodeID(valid: String(text[start.upperBound..<end.lowerBound]))
  }

  /// The document in UTF-8. Characters that XML cannot hold are left out.
  ///
  /// - Throws: `resources-short` without memory.
  package static func bytes(of episode: Episode) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin("episodedetails")
    try writer.element("title", episode.title)
    try writer.element("showtitle", episode.showTitle)
    // As in the name of the file: a number alone counts as one of the first season.
    let season = episode.season ?? episode.number.map { _ in 1 }
    try writer.element("season", season.map { "\($0)" })
    try writer.element("episode", episode.number.map { "\($0)" })
    try writer.element("plot", episode.summary)
    try writer.element("aired", episode.date?.description)
    try writer.element(
      "uniqueid", episode.id.description, [("type", "vmx"), ("default", "true")])
    try writer.end()
    return try writer.finish()
  }
}
