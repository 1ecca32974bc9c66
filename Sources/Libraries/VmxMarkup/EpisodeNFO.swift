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

  /// Generates the document of a show, which Kodi requires in the folder of the show: a `tvshow`
  /// document with what its record tells.
  ///
  /// The same show yields the same bytes, so the bytes show whether vmx wrote them.
  ///
  /// - Throws: `resources-short` if memory is exhausted.
  package static func show(_ show: LibraryShow, titled title: String) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin("tvshow")
    try writer.element("title", title)
    try writer.element("plot", show.summary)
    try writer.element("mpaa", show.ageRating?.text)
    try writer.element("premiered", show.premiered?.known?.description)
    try writer.element("status", show.hasEnded.map { $0 ? ended : continuing })
    for genre in show.genres { try writer.element("genre", genre) }
    try writer.element("studio", show.network)
    try writer.element("uniqueid", show.slug, attributes: [("type", "vmx"), ("default", "true")])
    let ids = [
      ("tvmaze", show.tvmaze.map { "\($0)" }), ("imdb", show.imdb),
      ("tvdb", show.tvdb.map { "\($0)" }),
    ]
    for (catalogue, id) in ids {
      try writer.element("uniqueid", id, attributes: [("type", catalogue)])
    }
    try writer.end()
    return try writer.finish()
  }

  private static let ended = "Ended"
  private static let continuing = "Continuing"

  /// Returns whether the bytes are a show document exactly as vmx wrote it, with any title and any
  /// details.
  ///
  /// - Parameter slug: the first half of the show's episode ids.
  /// - Throws: `resources-short` if memory is exhausted.
  package static func isUnchangedShow(
    _ bytes: [UInt8], of slug: String
  ) throws(Failure) -> Bool {
    guard isShow(bytes), let document = try NFOContents(bytes).documents.first,
      let title = document.title
    else { return false }
    var show = LibraryShow(document, slug: slug)
    show.title = nil
    return try bytes == self.show(show, titled: title)
  }

  /// Generates the document in UTF-8, omitting characters that XML does not allow.
  ///
  /// An episode without a number, but with a day, has the year as its season and the month and day
  /// as its number, by which Kodi sorts it (`NFODocument` does not read them as a number).
  ///
  /// - Parameters:
  ///   - show: the record of its show; nil for none.
  ///   - played: the playback state to include; nil for none.
  /// - Throws: `resources-short` if memory is exhausted.
  package static func bytes(
    of episode: Episode, show: LibraryShow? = nil, played: NFOPlayed? = nil
  ) throws(Failure) -> [UInt8] {
    let writer = try MarkupWriter()
    try writer.start()
    try writer.begin("episodedetails")
    try writer.element("title", episode.title)
    try writer.element("showtitle", episode.showTitle)
    // As in the file name: a number without a season counts as season 1.
    let dated = episode.number == nil ? episode.date?.known?.numbers : nil
    let season = dated?.season ?? episode.season ?? episode.number.map { _ in 1 }
    try writer.element("season", season.map { "\($0)" })
    try writer.element("episode", (episode.number ?? dated?.number).map { "\($0)" })
    try writer.element("plot", episode.summary)
    try writer.element("runtime", episode.duration.map { "\(max(1, ($0 + 30_000) / 60_000))" })
    try writer.element("mpaa", episode.ageRating?.text)
    try writer.element("aired", episode.date?.known?.description)
    try writer.element("studio", show?.network)
    if let rating = episode.rating {
      try writer.begin("ratings")
      try writer.begin("rating", [("name", "default"), ("max", "10"), ("default", "true")])
      try writer.element("value", "\(rating.tenths / 10).\(rating.tenths % 10)")
      try writer.end()
      try writer.end()
    }
    try played?.write(to: writer)
    try writer.element(
      "uniqueid", episode.id.description, attributes: [("type", "vmx"), ("default", "true")])
    try writer.element(
      "uniqueid", episode.tvmaze.map { "\($0)" }, attributes: [("type", "tvmaze")])
    try writer.end()
    return try writer.finish()
  }
}

extension CalendarDay {
  /// The season and the number under which players sort an episode that has only a day.
  var numbers: (season: Int64, number: Int64)? {
    let parts = description.split(separator: "-").compactMap { Int64($0) }
    guard parts.count == 3 else { return nil }
    return (parts[0], parts[1] * 100 + parts[2])
  }
}

extension LibraryShow {
  /// Creates the show that a document of kind `tvshow` describes.
  package init(_ document: NFODocument, slug: String) {
    self.init(slug: slug, title: document.title)
    summary = document.summary
    ageRating = document.ageRating
    premiered = document.date
    hasEnded = document.status.map { $0.lowercased() == "ended" }
    genres = document.genres
    network = document.studio
    tvmaze = document.ids["tvmaze"].flatMap { Int64($0) }
    imdb = document.ids["imdb"]
    tvdb = (document.ids["tvdb"] ?? document.ids["thetvdb"]).flatMap { Int64($0) }
  }
}
