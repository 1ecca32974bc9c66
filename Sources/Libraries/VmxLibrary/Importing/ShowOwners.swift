package import VmxModel
package import VmxStore

// A slug is a lossy key: "C", "C++" and "C#" have one. The first episode of a show keeps a key that
// tells to which show its slug belongs; another title gets the slug with a number. A show that got
// another title or slug is still found by its earlier ones.

/// The shows of a library by their slugs, as far as an import needs them.
package struct ShowOwners {
  /// The maximum number of shows with one slug.
  private static let maxShows = 100

  private let library: any EpisodeLookup

  /// Creates a view of a library.
  package init(_ library: any EpisodeLookup) {
    self.library = library
  }

  /// Returns the first episode of the show with a slug; nil if none is known.
  package func owner(of slug: String) throws -> Episode? {
    try firstEpisode(of: slug).flatMap { try library.episode($0) }
  }

  /// Whether a show has a slug.
  func hasOwner(_ slug: String) -> Bool { firstEpisode(of: slug) != nil }

  private func firstEpisode(of slug: String) -> EpisodeID? {
    library.find([.showOwner(slug)]).filter { $0.show == slug }.min()
  }

  /// Returns a slug, with a number if a show has it; nil if there are too many.
  ///
  /// - Throws: errors of the store.
  package func freeSlug(_ slug: Slug) throws -> Slug? {
    try hasOwner(slug.description) ? freeSlug(after: slug.description) : slug
  }

  /// Returns the first slug with a number after a slug that no show has.
  func freeSlug(after slug: String) throws -> Slug? {
    guard let base = Slug(valid: slug) else { return nil }
    return try (2...Self.maxShows).lazy.map { base.numbered($0) }
      .first { try owner(of: $0.description) == nil }
  }

  /// Returns a description with the slug of its show, and for a given id of a known show, with the
  /// title of the show, the season and the number.
  ///
  /// - Throws: `ambiguous` if the user gave a slug that several shows have.
  func resolve(_ description: EpisodeDescription) throws -> EpisodeDescription {
    var description = description
    guard description.ownSlug == nil, !description.fills, description.joining == nil else {
      return description
    }
    if description.id != nil, description.origin == .person {
      return try completed(description)
    }
    guard description.show != nil || description.showTitle != nil || description.id != nil else {
      return description
    }
    let base = description.showSlug
    guard let owner = try owner(of: base.description) else {
      if let show = try show(titled: description, base) { return show.titling(description) }
      return try spelledOtherwise(description, base)
    }
    guard let title = description.exactShowTitle else {
      try checkSlug(base, of: description, owner: owner)
      return try chooseByPath(for: description, base: base, owner: owner)
    }
    // The most frequent case: the episodes of a show have its title.
    if owner.showTitle == title { return description }
    if let show = try show(of: owner), show.isTitle(title) { return show.titling(description) }
    if owner.isOfShow(title, description) { return description }
    for number in 2...Self.maxShows {
      let slug = base.numbered(number)
      let other = try self.owner(of: slug.description)
      guard other?.isOfShow(title, description) ?? true else { continue }
      description.ownSlug = slug
      return description
    }
    return description
  }

  /// Returns the slug of the show with a title, as the next episode of it gets.
  ///
  /// - Parameters:
  ///   - slug: the slug that another library gave it; nil for that of the title.
  ///   - feed: the feed that names it, whose episodes may be in the library under another title.
  /// - Throws: `store-damaged`, and the errors of the store.
  package func slug(
    ofShow title: String, slug: String? = nil, of feed: String? = nil
  ) throws -> String {
    var description = EpisodeDescription()
    (description.show, description.showTitle) = (slug ?? title, title)
    description.feed = feed
    description.origin = .feed
    return try resolve(description).showSlug.description
  }

  /// Returns the show whose present or earlier title a description has, under another slug.
  private func show(titled description: EpisodeDescription, _ slug: Slug) throws -> LibraryShow? {
    let ids = library.find([.showTitled(slug.description)])
    for id in ids.sorted() {
      guard let owner = try library.episode(id), let show = try show(of: owner) else { continue }
      if description.exactShowTitle.map(show.isTitle) ?? true { return show }
    }
    return nil
  }

  /// Returns the record of the show of an episode; nil if there is none.
  private func show(of owner: Episode) throws -> LibraryShow? {
    try library.show(owner.id.show)
  }

  /// Returns the description with the slug of a known show that differs only in underscores.
  private func spelledOtherwise(
    _ description: EpisodeDescription, _ base: Slug
  ) throws -> EpisodeDescription {
    for (own, other) in [("_", "-"), ("-", "_")] where base.description.contains(own) {
      guard let slug = Slug(valid: base.description.replacing(own, with: other)),
        let owner = try owner(of: slug.description),
        description.exactShowTitle.map({ owner.isOfShow($0, description) }) ?? true
      else { continue }
      var description = description
      description.ownSlug = slug
      return description
    }
    return description
  }

  /// Returns the show of the library that has the described episodes and whose title differs from
  /// theirs in a year; nil for none, or if their own show or several shows have them.
  ///
  /// - Throws: errors of the store.
  package func namesake(of descriptions: some Sequence<EpisodeDescription>) throws -> Slug? {
    var found: Set<Slug> = []
    for description in descriptions {
      let slugs = namesakes(of: description)
      guard !slugs.isEmpty else { return nil }
      let match = try EpisodeMatch(of: description, description.identityKeys, in: library)
      for episode in match.episodes {
        guard let slug = slugs.first(where: { $0.description == episode.id.show }) else {
          return nil
        }
        found.insert(slug)
      }
    }
    return found.count == 1 ? found.first : nil
  }

  /// Returns the slugs of the shows whose titles differ from that of a description only in a year,
  /// as far as they are known.
  func namesakes(of description: EpisodeDescription) -> [Slug] {
    guard description.show != nil || description.showTitle != nil || description.id != nil else {
      return []
    }
    return namesakes(of: description.showSlug.description)
  }

  private func namesakes(of slug: String) -> [Slug] {
    if let plain = EpisodeSigns.withoutYear(slug: slug) { return [plain] }
    let shows = Set(library.find([.namesake(of: slug)]).map(\.show))
    return shows.sorted().compactMap { Slug(valid: $0) }.filter {
      EpisodeSigns.withoutYear(slug: $0.description)?.description == slug
    }
  }

  /// Returns the description of an id with the values that the id and the known show imply.
  private func completed(_ description: EpisodeDescription) throws -> EpisodeDescription {
    guard let id = description.id, description.show == nil, description.showTitle == nil,
      try library.episode(id) == nil, let owner = try owner(of: id.show)
    else { return description }
    var description = description
    description.showTitle = owner.showTitle
    if description.season == nil, description.number == nil,
      let numbers = id.numbers
    {
      (description.season, description.number) = (numbers.season, numbers.number)
    }
    return description
  }

  /// Refuses a slug, typed as a show, that several shows have.
  private func checkSlug(
    _ slug: Slug, of description: EpisodeDescription, owner: Episode
  ) throws {
    guard description.origin == .person, let text = description.show, description.id == nil,
      description.showTitle == nil, text != owner.showTitle,
      let second = try self.owner(of: slug.numbered(2).description),
      Slug(transliterating: second.showTitle, fallback: second.showTitle) == slug
    else { return }
    throw Failure(
      .ambiguous, "'\(text)' stands for the shows '\(owner.showTitle)' and '\(second.showTitle)'",
      hint: "give the title of the show, such as --show '\(owner.showTitle)'")
  }

  /// Returns the description with the show whose title its folder has, if several have the slug.
  private func chooseByPath(
    for description: EpisodeDescription, base: Slug, owner: Episode
  ) throws -> EpisodeDescription {
    guard let title = description.showTitle ?? description.show, title != owner.showTitle else {
      return description
    }
    let folded = EpisodeSigns.folded(show: title)
    guard EpisodeSigns.folded(show: owner.showTitle) != folded else { return description }
    for number in 2...Self.maxShows {
      let slug = base.numbered(number)
      guard let other = try self.owner(of: slug.description) else { return description }
      guard EpisodeSigns.folded(show: other.showTitle) == folded else { continue }
      var description = description
      description.ownSlug = slug
      return description
    }
    return description
  }
}

extension LibraryShow {
  /// Returns a description that names the show by one of its titles with its present title and
  /// its slug.
  fileprivate func titling(_ description: EpisodeDescription) -> EpisodeDescription {
    var description = description
    if description.exactShowTitle != nil, let title, by[show: .title] > .name {
      description.showTitle = title
    }
    if let slug = Slug(valid: slug), description.showSlug != slug { description.ownSlug = slug }
    return description
  }
}

extension Episode {
  /// Whether the episode belongs to the show of a description with a title.
  fileprivate func isOfShow(_ title: String, _ description: EpisodeDescription) -> Bool {
    if description.feed != nil, description.feed == text.feed { return true }
    return signs.showTitle.map { $0 == EpisodeSigns.folded(show: title) } ?? true
  }
}
