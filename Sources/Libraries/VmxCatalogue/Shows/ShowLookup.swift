import VmxLibrary
package import VmxModel
package import VmxStore

/// Finds catalogue shows from the user's input.
///
///     let lookup = ShowLookup(session.catalogue, store) { note($0) }
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
  /// A name is first matched with the shows that the library links to the catalogue, then with
  /// titles there. The search result with this title wins, else the only result.
  ///
  /// - Throws: `not-in-catalogue`; the errors of the catalogue.
  package func show(_ request: ShowRequest) throws -> CatalogueShow {
    try catalogue.show(try id(request))
  }

  private func id(_ request: ShowRequest) throws -> Int64 {
    switch request {
    case .id(let id): return id
    case .slug(let slug):
      guard let known = try store.snapshot().known(request) else { throw Self.unknown(slug) }
      guard let id = known.tvmaze else {
        throw Failure(
          .notInCatalogue, "the library does not know the show '\(slug)' by an id of the catalogue",
          hint: "run 'vmx shows \(ShellWord.quoted(known.title ?? slug))' to search for its title")
      }
      return id
    case .name(let name):
      if let id = try store.snapshot().known(request)?.tvmaze { return id }
      return try id(ofName: name)
    }
  }

  private func id(ofName name: String) throws -> Int64 {
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

  /// Returns the show as the library knows it, without the catalogue: from its own record, a
  /// favourite, its episodes or its feed. Otherwise returns the show of the catalogue.
  ///
  /// - Throws: the errors of `show`.
  package func knownShow(_ request: ShowRequest) throws -> LibraryShow {
    let snapshot = try store.snapshot()
    if let known = try snapshot.known(request) { return known }
    if case .slug(let slug) = request { throw Self.unknown(slug) }
    let show = try show(request)
    var slugs = ShowSlugs(in: snapshot)
    return LibraryShow(show, slug: slugs.slug(of: show))
  }

  /// Returns the show that the library knows without a link to the catalogue, such as that of a
  /// feed; nil for any other.
  ///
  /// - Throws: the errors of the store.
  package func unlinkedShow(_ request: ShowRequest) throws -> LibraryShow? {
    let known = try store.snapshot().known(request)
    return known?.tvmaze == nil ? known : nil
  }

  /// Returns the slug of a favourite; that of a name without one is the name itself.
  ///
  /// - Throws: the errors of the store and the catalogue.
  package func favouriteSlug(_ request: ShowRequest) throws -> String {
    if let known = try store.snapshot().favourite(request) { return known.slug }
    switch request {
    case .name(let name), .slug(let name): return name.lowercased()
    case .id: return try knownShow(request).slug
    }
  }

  private static func unknown(_ slug: String) -> Failure {
    Failure(
      .notInCatalogue, "the library has no show '\(slug)'",
      hint: "write '\(CatalogueID.text(ofShow: slug))' for an id of the catalogue")
  }

  private static func phrase(_ show: CatalogueShow) -> String {
    let year = show.premiered.map { ", \($0.description.prefix(4))" } ?? ""
    return "\(show.id) (\(show.title)\(year))"
  }
}

extension StoreSnapshot {
  /// Returns the show that a request names, as the library knows it; nil for an unknown one.
  ///
  /// - Throws: `store-damaged`, and the errors of the store.
  fileprivate func known(_ request: ShowRequest) throws -> LibraryShow? {
    if let known = try favourite(request) ?? linked(request) { return known }
    guard let name = request.name else { return nil }
    var query = EpisodeQuery()
    query.shows = [name]
    var found: LibraryShow?
    try episodes(matching: query) { episode in
      found = LibraryShow(slug: episode.id.show, title: episode.showTitle)
      return false
    }
    return found ?? followed(name.lowercased())
  }

  fileprivate func favourite(_ request: ShowRequest) throws -> LibraryShow? {
    try favourites().first { $0.isNamed(by: request) }
  }

  /// Returns the show of a record that links its slug to a title or the catalogue.
  private func linked(_ request: ShowRequest) throws -> LibraryShow? {
    if let slug = request.name?.lowercased(), let known = try show(slug) { return known }
    var found: LibraryShow?
    try records(of: .show) { record in
      let show = try LibraryShow(record.fields, slug: record.id)
      if show.isNamed(by: request) { found = show }
      return found == nil
    }
    return found
  }

  /// Returns the show of a feed, which may have no episodes yet.
  private func followed(_ name: String) -> LibraryShow? {
    var found: LibraryShow?
    records(of: .feed) { record in
      let title = record.fields["title"]?.string
      if record.id == name || title?.lowercased() == name {
        found = LibraryShow(slug: record.fields["show"]?.string ?? record.id, title: title)
      }
      return found == nil
    }
    return found
  }
}

extension ShowRequest {
  /// The slug or title; nil for an id of the catalogue.
  fileprivate var name: String? {
    switch self {
    case .name(let name), .slug(let name): name
    case .id: nil
    }
  }
}

extension LibraryShow {
  /// Returns whether a request names this show by its id, slug or title.
  fileprivate func isNamed(by request: ShowRequest) -> Bool {
    switch request {
    case .id(let id): tvmaze == id
    case .name(let name): slug == name.lowercased() || title?.lowercased() == name.lowercased()
    case .slug(let name): slug == name.lowercased()
    }
  }
}
