package import VmxModel
package import VmxStore

// A `show` record has the title of a show, which its episodes have too, and what feeds, catalogues,
// files and persons say of it. It ties the slug to a show of the catalogue, so that episodes of two
// shows of one name never mix. A `favourite` record marks the show. Both have the slug as their id.

extension StoreTransaction {
  /// Adds what a source says of a show to its record. A changed title is written into its episodes
  /// too.
  ///
  /// - Parameters:
  ///   - origin: the source; a weaker one replaces nothing.
  ///   - isCompletion: whether the source only completes values of equal sources, as a catalogue
  ///     does.
  /// - Returns: the show as recorded.
  /// - Throws: `ambiguous` if the slug already refers to another show of the catalogue,
  ///   `store-damaged`.
  @discardableResult
  package mutating func describe(
    _ show: LibraryShow, from origin: FieldOrigin, isCompletion: Bool = false
  ) throws -> LibraryShow {
    let before = try knownShow(show.slug)
    var known = before
    if let tied = known.tvmaze, let other = show.tvmaze, tied != other {
      throw Failure(
        .ambiguous,
        "'\(show.slug)' is show \(tied) of TVMaze, but the row is of show \(other)",
        hint: "run 'vmx episodes \(other) --json' for rows with another slug")
    }
    known.take(show.bounded, from: origin, isCompletion: isCompletion)
    try write(known, replacing: before)
    return known
  }

  /// Adds what the NFO file of a show tells to the record of the show to which its episodes belong.
  /// That may be another show, which the user or a catalogue has named: it is not changed.
  ///
  /// - Throws: the errors of the store. A record that cannot be decoded is not changed.
  package mutating func describe(byNFO show: LibraryShow) throws {
    var show = show
    if !allowsRatingChanges { show.ageRating = nil }
    do {
      let known = try knownShow(show.slug)
      let isNamed = known.title != nil && known.by[show: .title] > .nfo
      guard !isNamed || show.title.map(known.isTitle) ?? false else { return }
      try describe(show, from: .nfo)
    } catch let failure as Failure where [.storeDamaged, .ambiguous].contains(failure.code) {
      // The episodes are in the library; the show keeps its record.
    }
  }

  /// Returns the record of a show, or what its first episode says of it.
  ///
  /// - Throws: `store-damaged`, and the errors of the store.
  package mutating func knownShow(_ slug: String) throws -> LibraryShow {
    let recorded = try record(.show, slug).map { try LibraryShow($0.fields, slug: slug) }
    var show = recorded ?? LibraryShow(slug: slug, title: nil)
    if show.title == nil, let owner = try ShowOwners(self).owner(of: slug) {
      show.title = owner.showTitle
      show.by[show: .title] = owner.by[.showTitle]
    }
    return show
  }

  /// Makes a show a favourite. An existing one keeps its time, and gets values that were unknown.
  ///
  /// - Returns: the favourite, and whether the record has changed.
  /// - Throws: `store-damaged`.
  package mutating func addFavourite(
    _ show: LibraryShow, now: Timestamp
  ) throws -> (show: LibraryShow, isChanged: Bool) {
    let before = record(.favourite, show.slug)?.fields
    var favourite =
      try before.map { try LibraryShow($0, slug: show.slug) }
      ?? LibraryShow(slug: show.slug, title: nil)
    favourite.fill(from: show)
    favourite.added = favourite.added ?? now
    let fields = favourite.record
    guard fields != before else { return (favourite, false) }
    write(StoredRecord(kind: .favourite, id: show.slug, fields: fields))
    return (favourite, true)
  }
}

extension LibraryShow {
  fileprivate mutating func fill(from other: LibraryShow) {
    title = title ?? other.title
    tvmaze = tvmaze ?? other.tvmaze
    page = page ?? other.page
  }
}
