package import VmxModel
package import VmxStore

extension EpisodeDescription {
  /// Whether an item of a feed offers another version of a ready episode: with another URL, and
  /// with another title or day. The same item under a changed token is no other version.
  func isNewVersion(of episode: Episode) -> Bool {
    guard let feed = text.feed, feed == episode.feed, let video = episode.readyVideo,
      !video.urls.isEmpty, let described = self.video
    else { return false }
    let known = Set(video.urls.map(Self.withoutQuery))
    let urls = described.variants.flatMap(\.sources).map { Self.withoutQuery($0.text) }
    let titles = (signs([]).title, episode.signs.title)
    let hasOtherTitle = titles.0 != nil && titles.1 != nil && titles.0 != titles.1
    let hasOtherDay = text.date != nil && episode.date != nil && text.date != episode.date
    return !urls.isEmpty && known.isDisjoint(with: urls) && (hasOtherTitle || hasOtherDay)
  }

  /// The keys of the version that it offers.
  var versionKeys: [IdentityKey] {
    (video?.variants ?? []).flatMap(\.sources).map { .declined($0.withoutTracking) }
  }

  private static func withoutQuery(_ url: String) -> String {
    String(url.prefix { $0 != "?" && $0 != "#" })
  }

  /// The show of the catalogue that the description names.
  var catalogueShow: LibraryShow? {
    guard let tvmazeShow else { return nil }
    var show = LibraryShow(slug: showSlug.description, title: showTitle)
    show.tvmaze = tvmazeShow
    show.page = "\(CatalogueSource.address)/shows/\(tvmazeShow)"
    return show
  }
}

extension EpisodeImporter {
  /// Returns the episode that the description matches; nil if there is none.
  ///
  /// - Throws: `ambiguous`, `id-taken`, `no-such-episode`, and errors of the store.
  package func existing(in library: some EpisodeLookup) throws -> Episode? {
    try match(in: library).episode
  }

  /// Records the show of a first episode, and the title that a description gives a show, if its
  /// source is stronger than that of the recorded title.
  func describeShow(
    of episode: Episode, _ description: EpisodeDescription, isNew: Bool,
    in transaction: inout StoreTransaction
  ) throws {
    do {
      try describeTitle(of: episode, description, isNew: isNew, in: &transaction)
      if isNew { try describeFirstDay(of: episode, in: &transaction) }
    } catch let failure as Failure where failure.code == .storeDamaged {
      // A record of a show that cannot be decoded keeps no episode out of the library.
    }
  }

  private func describeTitle(
    of episode: Episode, _ description: EpisodeDescription, isNew: Bool,
    in transaction: inout StoreTransaction
  ) throws {
    let slug = episode.id.show
    let isFirst = isNew && episode.identity.contains(.showOwner(slug))
    var origin = description.origin(of: .showTitle)
    var title = description.exactShowTitle
    if !isFirst, let known = transaction.known(ofShow: slug).title {
      // A person who names a known show selects it, unless only a folder has named it.
      let isSelection = origin == .person && (known.origin > .name || title == known.text)
      guard known.origin < origin, !isSelection else { return }
    }
    if title != nil, description.showSlug.description != slug { title = nil }
    if isFirst, title == nil { (title, origin) = (episode.showTitle, .name) }
    guard let title else { return }
    let show = LibraryShow(slug: slug, title: title)
    try transaction.describe(show, from: origin, isCompletion: true)
  }

  /// Records the day of an episode as the first day of its show, if it is the first one known and
  /// neither a catalogue nor a file tells another.
  private func describeFirstDay(
    of episode: Episode, in transaction: inout StoreTransaction
  ) throws {
    let slug = episode.id.show
    guard let date = episode.date, !date.isPlaceholder,
      transaction.known(ofShow: slug).beginsLater(than: date)
    else { return }
    var show = try transaction.knownShow(slug)
    (show.premiered, show.by[show: .premiered]) = (date, .name)
    try transaction.write(show, replacing: show)
  }

  /// Keeps the title and the bytes of an episode for which a feed offers another version, and
  /// records that the version is known, so that it is reported once.
  func decline(
    _ description: EpisodeDescription, of known: Episode, in transaction: inout StoreTransaction
  ) -> Imported {
    var episode = known
    episode.addIdentity(description.versionKeys)
    guard episode != known else { return Imported(known, .unchanged, before: known) }
    return Imported(
      transaction.recorded(episode), .updated, before: known,
      note: "'\(known.id)' keeps its title and its file: the feed offers another one as "
        + "'\(description.title ?? "")', which is not fetched")
  }
}
