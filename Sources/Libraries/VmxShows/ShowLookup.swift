package import VmxCatalogue
import VmxLibrary
package import VmxModel
package import VmxStore

/// Finds shows of the catalogue by what the user typed.
///
///     let lookup = ShowLookup(session.catalogue, store)
///     let show = try lookup.show(ShowRequest("girls"))
package struct ShowLookup: Sendable {
  private let catalogue: TVMazeCatalogue
  private let store: LibraryStore
  private let note: @Sendable (String) -> Void

  /// Creates a lookup.
  ///
  /// - Parameter note: receives a note where a title is that of several shows.
  package init(
    _ catalogue: TVMazeCatalogue, _ store: LibraryStore,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.catalogue = catalogue
    self.store = store
    self.note = note
  }

  /// Returns the show.
  ///
  /// A name is first a slug that the library ties to a show, then a title: the best match of the
  /// search that has this title, or the only match.
  ///
  /// - Throws: `not-in-catalogue`, and as the catalogue.
  package func show(_ request: ShowRequest) throws -> CatalogueShow {
    try catalogue.show(try id(request))
  }

  /// Returns the id of the show in the catalogue; asks nothing where it is known.
  ///
  /// - Throws: as `show`.
  package func id(_ request: ShowRequest) throws -> Int64 {
    switch request {
    case .id(let id): return id
    case .name(let name): return try id(ofName: name)
    case .passing: throw Failure(.badLine, "the row names no show")
    }
  }

  private func id(ofName name: String) throws -> Int64 {
    if let known = try tied(name.lowercased()) { return known }
    let found = try catalogue.shows(matching: name)
    let wanted = Slug(transliterating: name, fallback: name)
    let exact = found.filter { $0.slug == wanted }
    if let first = exact.first {
      if exact.count > 1 {
        note(
          "'\(name)' is taken for show \(Self.phrase(first)); the title is also that of "
            + exact.dropFirst().prefix(3).map { "show \(Self.phrase($0))" }.joined(separator: ", "))
      }
      return first.id
    }
    if found.count == 1 { return found[0].id }
    let best = found.prefix(3).map(Self.phrase).joined(separator: ", ")
    throw Failure(
      .notInCatalogue, "the catalogue has no show with the title '\(name)'",
      hint: found.isEmpty ? nil : "give the id of one of these: \(best)")
  }

  /// Returns the show as the library keeps it. One that the library has, as a favourite or in the ids
  /// of its episodes, needs no catalogue.
  ///
  /// - Parameter isNew: whether what the catalogue tells is wanted of a show that is no favourite.
  /// - Throws: as `show`.
  package func libraryShow(_ request: ShowRequest, isNew: Bool) throws -> LibraryShow {
    let snapshot = try store.snapshot()
    if let known = try snapshot.favourite(request) { return known }
    if case .name(let name) = request, !isNew {
      return LibraryShow(slug: name.lowercased(), title: nil)
    }
    return try catalogueShow(request, in: snapshot)
  }

  /// Returns the show as the library has it, as a favourite, tied to the catalogue, or in the ids of
  /// its episodes; else that of the catalogue.
  ///
  /// - Throws: as `show`.
  package func knownShow(_ request: ShowRequest) throws -> LibraryShow {
    let snapshot = try store.snapshot()
    if let known = try snapshot.favourite(request) { return known }
    if case .name(let name) = request {
      let slug = name.lowercased()
      if let known = try snapshot.show(slug) { return known }
      var query = EpisodeQuery()
      query.shows = [name]
      var found: LibraryShow?
      try snapshot.episodes(matching: query) { episode in
        found = LibraryShow(slug: episode.id.show, title: episode.showTitle)
        return false
      }
      if let found { return found }
    }
    return try catalogueShow(request, in: snapshot)
  }

  private func catalogueShow(
    _ request: ShowRequest, in snapshot: StoreSnapshot
  ) throws -> LibraryShow {
    let show = try show(request)
    var slugs = ShowSlugs(in: snapshot)
    return LibraryShow(show, slug: slugs.slug(of: show))
  }

  /// The id of the show that the library ties to a slug.
  private func tied(_ slug: String) throws -> Int64? {
    let snapshot = try store.snapshot()
    for kind in [RecordKind.favourite, .show] {
      if let id = try snapshot.show(slug, kind)?.tvmaze { return id }
    }
    return nil
  }

  private static func phrase(_ show: CatalogueShow) -> String {
    let year = show.premiered.map { ", \($0.description.prefix(4))" } ?? ""
    return "\(show.id) (\(show.title)\(year))"
  }
}

extension StoreSnapshot {
  fileprivate func favourite(_ request: ShowRequest) throws -> LibraryShow? {
    try favourites().first { $0.isMeant(by: request) }
  }
}

extension LibraryShow {
  /// Whether a request names this show by its id, slug or title.
  fileprivate func isMeant(by request: ShowRequest) -> Bool {
    switch request {
    case .id(let id): tvmaze == id
    case .name(let name): slug == name.lowercased() || title?.lowercased() == name.lowercased()
    case .passing: false
    }
  }
}
