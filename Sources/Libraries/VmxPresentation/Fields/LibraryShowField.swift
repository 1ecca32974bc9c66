/// The fields of a show of the library.
package enum LibraryShowField: String, ListingField {
  case id, row, show, title, episodes, ready, unwatched, due, failed, newest, size, feed
  case feedState = "feed_state"
  case favourite
  case ageRating = "age_rating"
  case keepNext = "keep_next"
  case meteredOK = "metered_ok"
  case language, genres, network, premiered, ended, summary, site, tvmaze, imdb, tvdb, picture
  case earlierTitles = "earlier_titles"
  case outcome, source
  case sourceURL = "source_url"

  package static let defaultFields: [LibraryShowField] = [
    .id, .title, .episodes, .ready, .unwatched, .due, .failed, .newest, .size, .feedState,
  ]
  package static let recorded = allCases.filter { $0 != .outcome }

  package var key: FieldKey {
    switch self {
    case .id:
      FieldKey(
        .text, "The show, as the first half of the ids of its episodes", importance: 3)
    case .row: .row("show")
    case .show: FieldKey(.text, "The same as the id")
    case .title: FieldKey(.text, "The title", fitting: .end, importance: 2)
    case .episodes:
      FieldKey(.number, "The number of its episodes, removed ones not counted", importance: 1)
    case .ready: FieldKey(.number, "The number of episodes that are ready", importance: 1)
    case .unwatched:
      FieldKey(.number, "The number of ready episodes that are not watched", importance: 2)
    case .due:
      FieldKey(.number, "The number of episodes that a fetch would start now", importance: 2)
    case .failed: FieldKey(.number, "The number of failed episodes", importance: 1)
    case .newest: FieldKey(.day, "The date of its newest episode", importance: 1)
    case .size: FieldKey(.bytes, "The size of its files in the library", importance: 1)
    case .feed: FieldKey(.list, "The ids of its feeds")
    case .feedState:
      FieldKey(
        .text, "The state of its feeds: ok, new, paused, or since when one fails and why",
        fitting: .end)
    case .favourite: FieldKey(.boolean, "Whether it is a favourite")
    case .ageRating: FieldKey(.text, "The age rating of its episodes without one of their own")
    case .keepNext:
      FieldKey(.number, "The number of unwatched episodes to keep, while watched ones are removed")
    case .meteredOK: FieldKey(.boolean, "Whether it may be fetched over a metered network")
    case .language: FieldKey(.text, "The main language, as a BCP 47 tag")
    case .genres: FieldKey(.list, "The genres", fitting: .end)
    case .network: FieldKey(.text, "The network, or the author of a podcast", fitting: .end)
    case .premiered: FieldKey(.day, "The date of its first episode")
    case .ended: FieldKey(.boolean, "Whether no more episodes will appear")
    case .summary: FieldKey(.text, "The summary", fitting: .end)
    case .site: FieldKey(.text, "Its website")
    case .tvmaze: FieldKey(.number, "The id at TVMaze")
    case .imdb: FieldKey(.text, "The id at IMDb")
    case .tvdb: FieldKey(.number, "The id at TheTVDB")
    case .picture:
      FieldKey(.text, "The path of its picture; only with --fields", fitting: .end)
    case .earlierTitles: FieldKey(.list, "The titles that it had before")
    case .outcome: .outcome
    case .source: .source
    case .sourceURL: .sourceURL
    }
  }
}
