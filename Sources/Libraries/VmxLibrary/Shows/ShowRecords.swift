package import VmxModel
package import VmxStore

// A `show` record ties a slug to a show of the catalogue, so that episodes of two shows of one name
// never mix. A `favourite` record marks the show. Both have the slug as their id, and neither
// overwrites known values.

extension StoreSnapshot {
  /// Returns the record of a show or favourite; nil if there is none.
  ///
  /// - Throws: `store-damaged`, and the errors of the store.
  package func show(_ slug: String, _ kind: RecordKind = .show) throws -> LibraryShow? {
    try record(kind, slug).map { try LibraryShow($0.fields, slug: slug) }
  }
}

extension StoreTransaction {
  /// Records which show of the catalogue a slug refers to, and adds values that were unknown.
  ///
  /// - Throws: `ambiguous` if the slug already refers to another show, `store-damaged`.
  package mutating func linkShow(_ show: LibraryShow) throws {
    let before = record(.show, show.slug)?.fields
    var known =
      try before.map { try LibraryShow($0, slug: show.slug) }
      ?? LibraryShow(slug: show.slug, title: nil)
    if let tied = known.tvmaze, let other = show.tvmaze, tied != other {
      throw Failure(
        .ambiguous,
        "'\(show.slug)' is show \(tied) of TVMaze, but the row is of show \(other)",
        hint: "run 'vmx episodes \(other) --json' for rows with another slug")
    }
    known.fill(from: show)
    write(StoredRecord(kind: .show, id: show.slug, fields: known.record))
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
    ageRating = ageRating ?? other.ageRating
  }
}
