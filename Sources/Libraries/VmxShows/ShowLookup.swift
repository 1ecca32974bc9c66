package import VmxCatalogue
import VmxLibrary
package import VmxModel
package import VmxStore

/// Finds catalogue shows from the user's input.
///
///     let lookup = ShowLookup(session.catalogue, store)
///     let show = try lookup.show(ShowRequest("girls"))
package struct ShowLookup: Sendable {
  private let catalogue: TVMazeCatalogue
  private let store: LibraryStore
  private let note: @Sendable (String) -> Void

  /// Creates a lookup.
  ///
  /// - Parameter note: receives a note if several shows have the title.
  package init(
    _ catalogue: TVMazeCatalogue, _ store: LibraryStore,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.catalogue = catalogue
    self.store = store
    self.note = note
  }

  /// Returns the requested show.
  ///
  /// A name is first matched with the slugs that the library links to a show, then with titles. The
  /// search result with this title wins, else the only result.
  ///
  /// - Throws: `not-in-catalogue`; the errors of the catalogue.
  package func show(_ request: ShowRequest) throws -> CatalogueShow {
    try catalogue.show(try id(request))
  }

  /// Returns the id of the show in the catalogue, without a request if it is known.
  ///
  /// - Throws: the errors of `show`.
  package func id(_ request: ShowRequest) throws -> Int64 {
    switch request {
    case .id(let id): return id
    case .name(let name): return try id(ofName: name)
    case .passThrough: throw Failure(.badLine, "the row has no show")
    }
  }

  private func id(ofName name: String) throws -> Int64 {
    if let known = try linkedShow(name.lowercased()) { return known }
    let found = try catalogue.shows(matching: name)
    let wanted = Slug(transliterating: name, fallback: name)
    let exact = found.filter { $0.slug == wanted }
    if let first = exact.first {
      if exact.count > 1 {
        note(
          "using show \(Self.phrase(first)) for '\(name)'; others with this title: "
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

  /// Returns the show as the library keeps it. A favourite is returned without the catalogue, and
  /// so is a named show unless `isNew`.
  ///
  /// - Parameter isNew: whether a named show that is not a favourite is looked up in the catalogue.
  /// - Throws: the errors of `show`.
  package func libraryShow(_ request: ShowRequest, isNew: Bool) throws -> LibraryShow {
    let snapshot = try store.snapshot()
    if let known = try snapshot.favourite(request) { return known }
    if case .name(let name) = request, !isNew {
      return LibraryShow(slug: name.lowercased(), title: nil)
    }
    return try catalogueShow(request, in: snapshot)
  }

  /// Returns the show as the library knows it: as a favourite, as a linked show, or from episode
  /// ids. Otherwise returns the show of the catalogue.
  ///
  /// - Throws: the errors of `show`.
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

  /// Returns the id of the show that the library links to a slug.
  private func linkedShow(_ slug: String) throws -> Int64? {
    let snapshot = try store.snapshot()
    for kind in RecordKind.shows {
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
    try favourites().first { $0.isNamed(by: request) }
  }
}

extension LibraryShow {
  /// Returns whether a request names this show by its id, slug or title.
  fileprivate func isNamed(by request: ShowRequest) -> Bool {
    switch request {
    case .id(let id): tvmaze == id
    case .name(let name): slug == name.lowercased() || title?.lowercased() == name.lowercased()
    case .passThrough: false
    }
  }
}
