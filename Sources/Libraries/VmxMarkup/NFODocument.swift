package import VmxModel

/// A document of an NFO file: the metadata of a show, season, episode or film from Kodi, Jellyfin
/// or another program. As in Kodi, season and number in the file name take precedence.
package struct NFODocument: Sendable, Equatable {
  /// The kind of a document; the raw value is its root element.
  package enum Kind: String, Sendable, CaseIterable {
    case show = "tvshow"
    case season
    case episode = "episodedetails"
    case movie
  }

  /// The kind.
  package var kind: Kind
  /// The title.
  package var title: String?
  /// The title in the original language.
  package var originalTitle: String?
  /// The title of an episode's show.
  package var showTitle: String?
  /// The season; 0 for specials. For a show, the number of seasons.
  package var season: Int64?
  /// The number within the season. For a show, the number of episodes.
  package var number: Int64?
  /// The last number in a file with several episodes.
  package var lastNumber: Int64?
  /// The day of the first broadcast: `aired`, else `premiered`.
  package var date: CalendarDay?
  /// The year of the first broadcast.
  package var year: Int64?
  /// The description of the content: `plot`, else `outline`.
  package var summary: String?
  /// The ids by catalogue name in lower case, such as `tvmaze`, `tvdb`, `vmx`.
  package var ids: [String: String] = [:]
  /// The playing time in milliseconds; never 0.
  package var duration: Int64?
  /// The rating from 0 to 10: the default one, else the first.
  package var rating: Double?
  /// The age rating (`mpaa`), as Kodi and Jellyfin write it.
  package var ageRating: AgeRating?
  /// The genres of a show, in their order.
  package var genres: [String] = []
  /// The network or studio of a show.
  package var studio: String?
  /// The running status of a show, such as `Ended`.
  package var status: String?
  /// The number of plays.
  package var playCount: Int64?
  /// The time of the last play, in local time as written: `2024-05-01 20:15:00`, or only the day.
  package var lastPlayed: String?
  /// Whether the video was watched: `watched`, or at least one play. Nil if the document does not
  /// say.
  package var isWatched: Bool?
  /// The resume position in milliseconds; never 0.
  package var position: Int64?

  /// The names of the elements with data of players that no field holds, such as `userrating`.
  package var unkept: Set<String> = []
  /// The elements below the root, if they were asked for.
  package var elements: [NFOElement] = []

  /// Creates a document without fields.
  package init(kind: Kind) {
    self.kind = kind
  }
}

/// Builds a document from the events of the parser.
struct NFODocumentBuilder {
  /// The document; nil if the root element is of an unknown kind.
  var document: NFODocument? {
    guard isKnown else { return nil }
    var document = fields
    if hasNoDate, document.date == nil, document.year.map(CalendarDay.isPlaceholder(year:)) ?? false
    {
      document.year = nil
    }
    // `EpisodeNFO` writes these for an episode that has only a day.
    if let dated = document.date?.numbers, document.kind == .episode,
      dated == (document.season, document.number)
    {
      (document.season, document.number) = (nil, nil)
    }
    return document
  }
  private var fields = NFODocument(kind: .movie)
  private var isKnown = false
  private var open: [(element: MarkupElement, text: String)] = []
  private var hasDefaultRating = false
  private var hasNoDate = false

  mutating func handle(_ event: MarkupEvent) {
    switch event {
    case .begin(let element):
      if open.isEmpty {
        let kind = NFODocument.Kind(rawValue: element.name.lowercased())
        fields = NFODocument(kind: kind ?? .movie)
        isKnown = kind != nil
      }
      open.append((element, ""))
    case .text(let text):
      if !open.isEmpty { open[open.count - 1].text += text }
    case .end:
      guard let (element, text) = open.popLast() else { return }
      let value = text.trimmed
      guard !value.isEmpty else { return }
      let path = open.dropFirst().map { $0.element.name.lowercased() } + [element.name.lowercased()]
      set(path.joined(separator: "/"), to: value, in: element)
    }
  }

  /// The elements with data that only players and people know.
  private static let unkept: Set<String> = [
    "userrating", "rating", "ratings", "credits", "director", "actor", "genre", "studio", "tag",
    "set", "originaltitle",
  ]

  private mutating func set(_ path: String, to value: String, in element: MarkupElement) {
    let name = String(path.prefix { $0 != "/" })
    let isForeignID = name == "uniqueid" && element.attributes["type"]?.lowercased() != "vmx"
    let isKept = fields.kind == .show && ["genre", "studio", "uniqueid"].contains(name)
    if !isKept, Self.unkept.contains(name) || isForeignID { fields.unkept.insert(name) }
    switch path {
    case "title": set(\.title, value)
    case "originaltitle": set(\.originalTitle, value)
    case "showtitle": set(\.showTitle, value)
    case "season", "seasonnumber": set(\.season, natural(value))
    case "episode": set(\.number, natural(value))
    case "episodenumberend": set(\.lastNumber, natural(value))
    case "aired": fields.date = day(value) ?? fields.date
    case "premiered", "releasedate": set(\.date, day(value))
    case "year": set(\.year, natural(value))
    case "plot": fields.summary = value
    case "outline": set(\.summary, value)
    case "runtime": set(\.duration, positive(natural(value)?.multipliedClamped(by: 60_000)))
    case "genre": if fields.kind == .show, fields.genres.count < 64 { fields.genres.append(value) }
    case "studio": if fields.kind == .show { set(\.studio, value) }
    case "status": if fields.kind == .show { set(\.status, value) }
    case "mpaa": set(\.ageRating, AgeRating(value))
    case "playcount", "watched": setPlayed(path, value)
    case "lastplayed": if CalendarDay(ofProgram: value) != nil { set(\.lastPlayed, value) }
    case "resume/position":
      set(\.position, positive(decimal(value).flatMap { Int64(exactly: ($0 * 1000).rounded()) }))
    case "rating", "communityrating", "ratings/rating/value": setRating(value)
    default: setID(path, to: value, in: element)
    }
  }

  private mutating func set<Value>(_ field: WritableKeyPath<NFODocument, Value?>, _ value: Value?) {
    if fields[keyPath: field] == nil { fields[keyPath: field] = value }
  }

  private mutating func setPlayed(_ path: String, _ value: String) {
    let isPlayed: Bool
    if path == "watched" {
      isPlayed = ["true", "1"].contains(value.lowercased())
    } else {
      fields.playCount = natural(value)
      isPlayed = (fields.playCount ?? 0) > 0
    }
    fields.isWatched = isPlayed || fields.isWatched ?? false
  }

  private mutating func setRating(_ value: String) {
    guard let rating = decimal(value), (0...10).contains(rating) else { return }
    let isDefault = open.last?.element.attributes["default"] == "true"
    if fields.rating == nil || isDefault && !hasDefaultRating { fields.rating = rating }
    hasDefaultRating = hasDefaultRating || isDefault
  }

  /// Sets an id from `uniqueid` with its type, elements such as `tvdbid` and `imdb_id`, and a
  /// show's `episodeguide`.
  private mutating func setID(_ path: String, to value: String, in element: MarkupElement) {
    switch path {
    case "uniqueid":
      if let type = element.attributes["type"]?.lowercased(), !type.isEmpty {
        fields.ids[type] = value
      }
    case "imdbid", "imdb_id", "tvdbid", "tmdbid", "tvmazeid":
      add(String(path.prefix { $0 != "_" }), value)
    case "id" where value.hasPrefix("tt"): add("imdb", value)
    case "episodeguide" where value.hasPrefix("{"):
      // `{"tvmaze": "42"}`: the texts between quotation marks alternate between names and values.
      let texts = value.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
      for index in stride(from: 1, to: texts.count - 2, by: 4) {
        add(texts[index], texts[index + 2])
      }
    default: break
    }
  }

  private mutating func add(_ type: String, _ value: String) {
    let name = type.hasSuffix("id") ? String(type.dropLast(2)) : type
    if fields.ids[name] == nil { fields.ids[name] = value }
  }

  /// Returns a day; nil also for one that Kodi writes without a date.
  private mutating func day(_ text: String) -> CalendarDay? {
    let day = CalendarDay(ofProgram: text)
    hasNoDate = hasNoDate || day == nil
    return day
  }

  /// Returns the leading whole number of a text, as in `45 min`; nil if there is none, also for
  /// negative numbers.
  private func natural(_ text: String) -> Int64? {
    Int64(text.prefix { $0.isASCII && $0.isNumber })
  }

  private func positive(_ number: Int64?) -> Int64? { number.flatMap { $0 > 0 ? $0 : nil } }

  /// Parses a decimal number with a point or, as some programs write it, a comma.
  private func decimal(_ text: String) -> Double? { Double(text.replacing(",", with: ".")) }
}
