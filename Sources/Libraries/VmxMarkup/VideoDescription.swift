package import VmxModel
package import VmxNaming

// Season and number come from the file name, as in Kodi: people correct an episode by renaming its
// file. An NFO file provides what the name lacks, and all texts. An absolute number, counted
// through the whole show, is used only if the NFO file has no number within the season.

extension EpisodeFileName {
  /// One of the episodes of a video.
  package struct Episode: Sendable, Equatable {
    /// The number within the season, or the absolute number; nil if neither is known.
    package let number: Int64?
    /// The NFO document of the episode; nil if there is none.
    package let document: NFODocument?
  }

  /// Returns the episodes of the video in the order of their numbers: usually one, or several if
  /// the name or the documents say so.
  ///
  /// - Parameter documents: the episodes in the NFO files next to the video.
  package func episodes(describedBy documents: [NFODocument]) -> [Episode] {
    let numbers = numbers(with: documents)
    return numbers.map { number in
      Episode(
        number: number,
        document: documents.first { $0.number == number }
          ?? (numbers.count == 1 ? documents.first : nil))
    }
  }

  /// Returns the first episode of the video, for a tool that makes one episode of each video.
  package func episode(describedBy documents: [NFODocument]) -> Episode {
    let first = episodes(describedBy: documents).first
    return Episode(number: first?.number, document: first?.document ?? documents.first)
  }

  private func numbers(with documents: [NFODocument]) -> [Int64?] {
    if number != nil, !self.numbers.isEmpty { return self.numbers }
    let known = documents.compactMap(\.number)
    if number == nil || known.contains(where: { $0 == number }), known.count > 1 { return known }
    return [number ?? known.first ?? absolute]
  }
}

extension EpisodeDescription {
  /// Describes an episode by the name of its video and its NFO documents.
  ///
  /// - Parameters:
  ///   - fileName: the file name of the video without its extension.
  ///   - folder: the name of its folder; empty for none.
  ///   - show: the NFO document of the show; nil if there is none.
  package init(
    _ episode: EpisodeFileName.Episode, in name: EpisodeFileName, fileName: String, folder: String,
    show: NFODocument?
  ) {
    self.init()
    let document = episode.document
    showTitle =
      document?.showTitle ?? show?.title ?? name.showTitle ?? (folder.isEmpty ? nil : folder)
    text.season = name.season ?? document?.season
    text.number = episode.number
    text.date = document?.date ?? name.date
    title =
      document?.title ?? name.title
      ?? MediaName.place(season: text.season, number: text.number, date: text.date)
      ?? name.plainStem
    text.summary = document?.summary
    text.duration = document?.duration
    text.tvmaze = document?.ids["tvmaze"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    isWatched = document?.isWatched == true ? true : nil
    origin = document == nil ? .name : .nfo
    let given: [(PathField, Bool)] = [
      (.title, document?.title != nil),
      (.showTitle, document?.showTitle != nil || show?.title != nil),
      (.season, name.season == nil), (.number, name.number == nil), (.date, document?.date != nil),
    ]
    derived = Set(given.filter { !$0.1 }.map(\.0))
    self.fileName = fileName
    isOnlyOfTitle = true
  }
}
