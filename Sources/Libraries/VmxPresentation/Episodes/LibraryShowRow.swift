package import VmxModel

/// The numbers of a show's episodes, added up over the library.
package struct ShowTotals: Sendable, Equatable {
  /// A folder of a root, which contains files of the show.
  package struct Folder: Sendable, Hashable {
    /// The UUID of the root.
    package let root: String
    /// The name, which is the first component of paths.
    package let name: String
  }

  /// The number of episodes.
  package private(set) var episodes = 0
  /// The number of ready episodes.
  package private(set) var ready = 0
  /// The number of ready episodes that are not watched.
  package private(set) var unwatched = 0
  /// The number of due episodes.
  package private(set) var due = 0
  /// The number of failed episodes.
  package private(set) var failed = 0
  /// The day of the newest episode, or that on which it was added.
  package private(set) var newest: CalendarDay?
  /// The size of the files in the library.
  package private(set) var bytes: Int64 = 0
  /// The ids of the feeds of its episodes.
  package private(set) var feeds: Set<String> = []
  /// The folders of its ready videos, as far as they were added.
  package private(set) var folders: Set<Folder> = []
  /// The title of its first episode.
  package private(set) var title = ""

  /// Creates the numbers of a show without episodes.
  package init() {}

  /// The fields of an episode that `count` reads.
  package static let fields = EpisodeFields(
    [.showTitle, .date, .added, .feed, .want, .watched, .expires, .parts],
    parts: [
      .role, .required, .state, .resumeState, .code, .reason, .until, .path, .size,
    ])

  /// Counts an episode.
  package mutating func count(_ episode: Episode, isDue: Bool) {
    if episodes == 0 { title = episode.showTitle }
    episodes += 1
    let state = episode.state
    if state == .ready {
      ready += 1
      if !episode.isWatched { unwatched += 1 }
    }
    if state == .failed { failed += 1 }
    if isDue { countDue() }
    let day = episode.date ?? CalendarDay(String(episode.added.text.prefix(10)))
    if let day, newest.map({ $0 < day }) ?? true { newest = day }
    for part in episode.parts where part.path != nil {
      bytes = bytes.addingClamped(part.size?.bytes ?? 0)
    }
    if let feed = episode.feed { feeds.insert(feed) }
  }

  /// The fields of an episode that `addFolder` reads beside those.
  package static let fieldsOfFolders = EpisodeFields([.parts], parts: [.root])

  /// Adds the folder of an episode with a ready video.
  package mutating func addFolder(of episode: Episode) {
    guard let video = episode.readyVideo, let root = video.root, let path = video.path,
      let slash = path.firstIndex(of: "/")
    else { return }
    folders.insert(Folder(root: root, name: String(path[..<slash])))
  }

  /// Counts an episode that was counted as not due.
  package mutating func countDue() { due += 1 }
}

/// A show of the library, as a row of output.
package struct LibraryShowRow: ListingRow {
  private let show: LibraryShow
  private let totals: ShowTotals
  private let feeds: [Subscription]
  private let isFavourite: Bool
  private let picture: String?
  private let now: Timestamp

  /// Creates the row of a show.
  ///
  /// - Parameters:
  ///   - feeds: the feeds of its episodes.
  ///   - picture: the path of its picture; nil if it has none.
  ///   - now: the time for which the row is valid.
  package init(
    _ show: LibraryShow, _ totals: ShowTotals, feeds: [Subscription], isFavourite: Bool,
    picture: String? = nil, now: Timestamp
  ) {
    self.picture = picture
    (self.show, self.totals, self.feeds) = (show, totals, feeds)
    (self.isFavourite, self.now) = (isFavourite, now)
  }

  package var id: String { show.slug }

  package func value(_ field: LibraryShowField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .row: .word(RowKind.show.rawValue)
    case .show: .text(id)
    case .title: .text(title)
    case .episodes: .number(totals.episodes)
    case .ready: .number(totals.ready)
    case .unwatched: .number(totals.unwatched)
    case .due: .number(totals.due)
    case .failed: .number(totals.failed).styled(totals.failed > 0 ? .failure : .plain)
    case .newest: .text(totals.newest?.description).styled(.dim)
    case .size: .bytes(totals.bytes)
    case .feed: .list(nonEmpty: feeds.map(\.id))
    case .feedState: feedState
    case .favourite: .flag(omittingFalse: isFavourite)
    case .ageRating: .text(show.ageRating?.text)
    case .keepNext: .number(show.keepNext)
    case .meteredOK: .flag(omittingFalse: show.isMeteredOK)
    case .language: .text(show.language)
    case .genres: .list(nonEmpty: show.genres, separator: ", ")
    case .network: .text(show.network)
    case .premiered: .text(show.premiered?.description)
    case .ended: .flag(omittingFalse: show.hasEnded ?? false)
    case .summary: .text(show.summary)
    case .site: .text(show.site)
    case .tvmaze: .number(show.tvmaze)
    case .imdb: .text(show.imdb)
    case .tvdb: .number(show.tvdb)
    case .picture: .text(nonEmpty: picture)
    case .earlierTitles: .list(nonEmpty: show.earlierTitles, separator: ", ")
    case .outcome: .text(nil)
    case .source: .text(show.tvmaze.map { _ in CatalogueSource.name })
    case .sourceURL: .text(nonEmpty: show.page)
    }
  }

  /// The recorded title, else that of its episodes or its feed, else the slug.
  private var title: String {
    let known = [show.title, totals.title, feeds.first?.title].compactMap(\.self).first {
      !$0.isEmpty
    }
    return known ?? show.slug
  }

  /// The state of the feed that fails longest, else of one that was never read or is paused.
  private var feedState: RowValue {
    guard !feeds.isEmpty else { return .text(nil) }
    let failing = feeds.compactMap(\.failing).min { $0.since < $1.since }
    if let failing {
      return .text("failing since \(failing.since.text.prefix(10)): \(failing.code)").styled(
        .failure)
    }
    if feeds.contains(where: { $0.initialImport == nil }) { return .text("new") }
    return .text(feeds.allSatisfy(\.isPaused) ? "paused" : "ok")
  }

  /// All details of the show as labelled lines.
  package var details: Details {
    var lines: [Details.Line] = []
    let omitted: [LibraryShowField] = [.id, .row, .show, .summary, .source]
    for field in LibraryShowField.recorded where !omitted.contains(field) {
      let text = cell(field).text
      if !text.isEmpty, text != "false" { lines.append(Details.Line(field.label, text)) }
    }
    if let summary = show.summary { lines.append(Details.Line("summary", prose: summary)) }
    return Details(heading: show.slug, lines: lines)
  }
}
