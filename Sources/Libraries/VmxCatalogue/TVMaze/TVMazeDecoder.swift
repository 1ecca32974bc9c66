import VmxMarkup
package import VmxModel

// The catalogue has changed its responses over the years, and any field may be null or missing.
// Therefore only the id is required, and fields of an unexpected form are omitted.

/// Decodes the records of TVMaze's responses leniently.
package enum TVMazeDecoder {
  /// Decodes a show: the record itself, or a record that wraps it as `show` (search, schedule) or
  /// embeds it.
  ///
  /// - Returns: the show; nil if its id or name is missing.
  package static func show(_ value: JSONValue) -> CatalogueShow? {
    guard let outer = value.object else { return nil }
    if let inner = outer.embedded("show") { return show(.object(inner)) }
    guard let id = outer.catalogueID, let title = outer.line("name") else { return nil }
    var show = CatalogueShow(id: id, title: title)
    show.page = outer.address("url")
    show.type = outer.line("type")
    show.language = outer.line("language").flatMap { LanguageName.tag(of: $0) }
    show.genres = (outer["genres"]?.array ?? []).compactMap { $0.string.flatMap(nonEmptyLine) }
    show.status = outer.line("status")
    show.premiered = outer.day("premiered")
    show.ended = outer.day("ended")
    show.duration = outer.minutes("averageRuntime") ?? outer.minutes("runtime")
    let channel = outer["network"]?.object ?? outer["webChannel"]?.object
    show.network = channel?.line("name")
    show.country = channel?["country"]?.object?.line("code")
    show.webChannel = outer["webChannel"]?.object?.line("name")
    show.schedule = outer["schedule"]?.object.flatMap(schedule)
    show.rating = outer.rating
    show.site = outer.address("officialSite")
    let others = outer["externals"]?.object
    show.imdb = others?.line("imdb")
    show.tvdb = others?.natural("thetvdb")
    show.tvrage = others?.natural("tvrage")
    show.image = outer.image
    show.summary = outer.text("summary")
    show.updated = outer["updated"]?.integer.flatMap(time)
    return show
  }

  /// Returns the days of a schedule and their time; nil if it has neither.
  private static func schedule(_ object: JSONObject) -> String? {
    let days = (object["days"]?.array ?? []).compactMap { $0.string.flatMap(nonEmptyLine) }
    let words = [days.joined(separator: ", "), object.line("time") ?? ""].filter { !$0.isEmpty }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// Decodes an episode, with its show if the response includes it.
  package static func episode(_ value: JSONValue) -> CatalogueEpisode? {
    guard let object = value.object, let id = object.catalogueID else { return nil }
    let season = object.natural("season")
    let number = object.natural("number")
    let usual = number.map { "Episode \($0)" } ?? "Special"
    var episode = CatalogueEpisode(id: id, title: object.line("name") ?? usual)
    (episode.season, episode.number) = (season, number)
    episode.page = object.address("url")
    episode.type = object.line("type")
    episode.airs = object["airstamp"]?.string.flatMap { Timestamp($0) ?? Timestamp("\($0)Z") }
    episode.date =
      episode.airs.flatMap { CalendarDay(String($0.text.prefix(10))) } ?? object.day("airdate")
    episode.duration = object.minutes("runtime")
    episode.rating = object.rating
    episode.image = object.image
    episode.summary = object.text("summary")
    episode.show = object.embedded("show").flatMap { show(.object($0)) }
    return episode
  }

  /// Decodes a person: the record itself, or a record that wraps it as `person`.
  package static func person(_ value: JSONValue) -> CataloguePerson? {
    guard let outer = value.object else { return nil }
    if let inner = outer.embedded("person") { return person(.object(inner)) }
    guard let id = outer.catalogueID, let name = outer.line("name") else { return nil }
    var person = CataloguePerson(id: id, name: name)
    person.page = outer.address("url")
    person.country = outer["country"]?.object?.line("name")
    person.born = outer.day("birthday")
    person.died = outer.day("deathday")
    person.gender = outer.line("gender")
    person.image = outer.image
    person.updated = outer["updated"]?.integer.flatMap(time)
    return person
  }

  /// Decodes a credit of a person; nil if the response names no show for it.
  package static func credit(
    _ value: JSONValue, _ kind: CatalogueCredit.Kind
  ) -> CatalogueCredit? {
    guard let object = value.object else { return nil }
    let embedded = object["_embedded"]?.object
    let episode = embedded?["episode"].flatMap { self.episode($0) }
    let linked = object["_links"]?.object
    let show =
      object.embedded("show").flatMap { self.show(.object($0)) } ?? episode?.show
      ?? linked?["show"]?.object.flatMap { self.linkedShow($0) }
      ?? embedded?["episode"]?.object?["_links"]?.object?["show"]?.object.flatMap {
        self.linkedShow($0)
      }
    guard let show else { return nil }
    var credit = CatalogueCredit(kind, in: show)
    credit.episode = episode
    let character =
      embedded?["character"]?.object?.line("name") ?? linked?["character"]?.object?.line("name")
    credit.role = object.line("type") ?? character
    credit.isSelf = object["self"]?.bool ?? false
    credit.isVoice = object["voice"]?.bool ?? false
    return credit
  }

  /// Returns the show of a link, for which the response has only the name.
  private static func linkedShow(_ link: JSONObject) -> CatalogueShow? {
    guard let id = link.lastNumber("href"), let title = link.line("name") else { return nil }
    return CatalogueShow(id: id, title: title)
  }

  private static func time(_ seconds: Int64) -> Timestamp? {
    (1...253_402_300_799).contains(seconds) ? Timestamp(seconds: seconds) : nil
  }
}

private func nonEmptyLine(_ text: String) -> String? {
  let line = HTMLText.line(text)
  return line.isEmpty ? nil : line
}

extension JSONObject {
  /// The id, else the number at the end of the record's own link.
  fileprivate var catalogueID: Int64? {
    let id = self["id"]?.integer ?? linkedID("self")
    return id.flatMap { $0 > 0 ? $0 : nil }
  }

  fileprivate func linkedID(_ name: String) -> Int64? {
    self["_links"]?.object?[name]?.object?.lastNumber("href")
  }

  /// Returns the number at the end of the path of an address.
  fileprivate func lastNumber(_ key: String) -> Int64? {
    self[key]?.string?.split(separator: "/").last.flatMap { Int64($0) }
  }

  fileprivate func embedded(_ name: String) -> JSONObject? {
    self[name]?.object ?? self["_embedded"]?.object?[name]?.object
  }

  fileprivate func line(_ key: String) -> String? { self[key]?.string.flatMap(nonEmptyLine) }

  fileprivate func text(_ key: String) -> String? {
    let text = self[key]?.string.map { HTMLText.plainText($0) }
    return text?.isEmpty == true ? nil : text
  }

  fileprivate func day(_ key: String) -> CalendarDay? {
    self[key]?.string.flatMap { CalendarDay($0) }
  }

  fileprivate func natural(_ key: String) -> Int64? {
    self[key]?.integer.flatMap { $0 >= 0 ? $0 : nil }
  }

  fileprivate func minutes(_ key: String) -> Int64? {
    self[key]?.integer.flatMap { (1...1_000_000).contains($0) ? $0 * 60_000 : nil }
  }

  /// Returns an http or https address. Addresses of the catalogue itself always use https, since
  /// old responses use http.
  fileprivate func address(_ key: String) -> String? {
    guard let text = self[key]?.string else { return nil }
    let secured = text.upgradedToHTTPS
    return secured.hasPrefix("https://") || secured.hasPrefix("http://") ? secured : nil
  }

  fileprivate var image: CatalogueImage? {
    let image = self["image"]?.object
    return CatalogueImage(original: image?.address("original"), medium: image?.address("medium"))
  }

  fileprivate var rating: Rating? {
    self["rating"]?.object?["average"].flatMap { Rating($0) }
  }
}

extension String {
  /// The address, with http replaced by https if its host is the catalogue's.
  fileprivate var upgradedToHTTPS: String {
    guard hasPrefix("http://") else { return self }
    let host = dropFirst(7).prefix { $0 != "/" }
    let isCatalogue = ["tvmaze.com", "tvmazecdn.com"].contains {
      host == $0 || host.hasSuffix("." + $0)
    }
    return isCatalogue ? "https://" + dropFirst(7) : self
  }
}
