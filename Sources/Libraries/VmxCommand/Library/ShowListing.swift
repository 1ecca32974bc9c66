import SystemPackage
package import VmxModel
package import VmxPresentation
package import VmxStore
import VmxSystem

/// The shows of a library with the numbers of their episodes, from one pass over the library.
///
///     let listing = try ShowListing(
///       of: view.snapshot, matching: query, due, showing: context.parental)
///     for row in listing.rows { try reporter.print(row) }
package struct ShowListing {
  /// The rows by title, case ignored.
  package private(set) var rows: [LibraryShowRow] = []

  /// Counts the episodes that match a query.
  ///
  /// - Parameters:
  ///   - includesEmpty: whether favourites and the shows of feeds are listed without a matching
  ///     episode.
  ///   - parental: the guard that decides which episodes count.
  /// - Throws: errors of reading the store.
  package init(
    of snapshot: StoreSnapshot, matching query: EpisodeQuery, _ due: DueRule,
    includesEmpty: Bool = false, showing parental: ParentalGuard
  ) throws {
    var totals: [String: ShowTotals] = [:]
    var open: Set<EpisodeID> = []
    let pictured = Self.showsWithPicture(in: snapshot)
    var fields = ShowTotals.fields.union(EpisodeFields(parental.applies ? [.ageRating] : []))
    if !pictured.isEmpty { fields = fields.union(ShowTotals.fieldsOfFolders) }
    try snapshot.episodes(matching: query, decoding: fields) { episode in
      guard parental.allows(episode) else { return true }
      // Only few episodes need their sources for this, which are most of a record.
      let isOpen = episode.parts.contains { DueRule.dependsOnSources($0) }
      if isOpen { open.insert(episode.id) }
      totals[episode.id.show, default: ShowTotals()]
        .count(episode, isDue: !isOpen && due.isDue(episode))
      if pictured.contains(episode.id.show) { totals[episode.id.show]?.addFolder(of: episode) }
      return true
    }
    if !open.isEmpty {
      try snapshot.episodes(matching: query) { episode in
        if open.contains(episode.id), due.isDue(episode) { totals[episode.id.show]?.countDue() }
        return true
      }
    }
    let feeds = Self.feeds(in: snapshot)
    let favourites = snapshot.favouriteShows
    let isOpen = includesEmpty && !parental.applies
    if isOpen {
      for slug in favourites where totals[slug] == nil { totals[slug] = ShowTotals() }
      let known = totals.values.reduce(into: Set<String>()) { $0.formUnion($1.feeds) }
      for feed in feeds.values where !known.contains(feed.id) {
        let slug = (feed.show ?? feed.slugOfTitle).description
        if totals[slug] == nil { totals[slug] = ShowTotals() }
      }
    }
    rows = totals.map { slug, totals in
      let show = snapshot.readableShow(slug) ?? LibraryShow(slug: slug, title: nil)
      let tied = feeds.values.filter { totals.feeds.contains($0.id) || $0.belongs(to: show) }
      return LibraryShowRow(
        show, totals, feeds: tied.sorted { $0.id < $1.id }, isFavourite: favourites.contains(slug),
        picture: Self.picture(of: show, totals, in: snapshot), now: due.now)
    }
    rows.sort { ($0.exact(.title).lowercased(), $0.id) < ($1.exact(.title).lowercased(), $1.id) }
  }

  /// Orders the rows by a field, or in descending order by `-field`. Rows without a value are last.
  ///
  /// - Throws: `usage` for an unknown field.
  package mutating func sort(by text: String) throws(Failure) {
    let isDescending = text.hasPrefix("-")
    let field = try LibraryShowField.field(named: isDescending ? String(text.dropFirst()) : text)
    let isNumeric = field.key.isNumeric
    var buffer = SortBuffer(isNumeric: isNumeric, isDescending: isDescending)
    for row in rows { buffer.add(id: row.id, key: row.exact(field)) }
    let bySlug = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    rows = []
    buffer.forEach { slug in bySlug[slug].map { rows.append($0) } }
  }

  /// Returns the slugs of the shows that have a picture.
  private static func showsWithPicture(in snapshot: StoreSnapshot) -> Set<String> {
    var slugs: Set<String> = []
    snapshot.records(of: .show) { record in
      if record.fields["picture"]?.object?["file"] != nil { slugs.insert(record.id) }
      return true
    }
    return slugs
  }

  /// Returns the path of the picture in one of the folders of a show; nil if it has none.
  private static func picture(
    of show: LibraryShow, _ totals: ShowTotals, in snapshot: StoreSnapshot
  ) -> String? {
    guard let name = show.picture?.file else { return nil }
    let files = totals.folders.compactMap { place in
      snapshot.rootFolder(place.root).map { "\($0)/\(place.name)/\(name)" }
    }
    return files.sorted().first { path in
      do throws(FileError) {
        return try FileFacts.of(FilePath(path))?.isRegular == true
      } catch {
        return false
      }
    }
  }

  private static func feeds(in snapshot: StoreSnapshot) -> [String: Subscription] {
    var feeds: [String: Subscription] = [:]
    snapshot.records(of: .feed) { record in
      do throws(Failure) {
        feeds[record.id] = try Subscription(id: record.id, record: record.fields)
      } catch {
        // `vmx feed list` and `vmx doctor` report a feed that cannot be decoded.
      }
      return true
    }
    return feeds
  }
}
