package import VmxLibrary
package import VmxModel
package import VmxStore

// A feed without a title has the name of its host as its title, and so do the slug of its show and
// the ids of its episodes. A later document may have a title; the ids stay, since a user may have
// written them down. As long as nothing of the show was fetched, they may be changed unasked.

/// The shows that have the name of a host as their slug, and a title of their own by now.
///
///     let shows = try HostNamedShows(in: try store.snapshot()).shows
package struct HostNamedShows {
  /// A show with the slug that it could have.
  package struct Show: Sendable, Equatable {
    /// The slug, which is that of a host.
    package let slug: String
    /// The slug of the title, with a number if another show has that.
    package let better: Slug
    /// Whether a file of an episode was fetched, or is on its way.
    package let hasFiles: Bool
  }

  /// The shows, by their slugs.
  package let shows: [Show]

  /// Searches a library.
  ///
  /// - Throws: errors of the store.
  package init(in snapshot: StoreSnapshot) throws {
    var hosts: [String: Set<String>] = [:]
    try snapshot.records(of: .feed) { record in
      let feed = try Subscription(id: record.id, record: record.fields)
      guard let slug = feed.show?.description else { return true }
      let names = feed.hosts.map { Slug(transliterating: $0, fallback: $0).description }
      hosts[slug, default: []].formUnion(names)
      return true
    }
    shows = try hosts.keys.sorted().compactMap { slug in
      guard hosts[slug, default: []].contains(where: { Self.isName(slug, of: $0) }),
        let title = try snapshot.show(slug)?.title
      else { return nil }
      let usual = Slug(transliterating: title, fallback: slug)
      guard !Self.isName(slug, of: usual.description),
        let better = try ShowOwners(snapshot).freeSlug(usual)
      else { return nil }
      return Show(slug: slug, better: better, hasFiles: try Self.hasFiles(slug, in: snapshot))
    }
  }

  /// Gives the shows of which nothing was fetched the slugs of their titles; each is durable, and a
  /// step that `vmx undo` takes back.
  ///
  /// - Throws: the errors of `ShowRenaming`.
  package func rename(in store: LibraryStore, _ run: Operation) throws {
    for show in shows where !show.hasFiles {
      _ = try ShowRenaming(store, run, claimTimeout: 0)
        .rename(show.slug, to: show.better, title: nil)
    }
  }

  /// Whether a slug is that of a name, which a number may follow.
  private static func isName(_ slug: String, of name: String) -> Bool {
    guard slug.hasPrefix(name) else { return false }
    let rest = slug.dropFirst(name.count)
    return rest.isEmpty || rest.first == "-" && Int(rest.dropFirst()) != nil
  }

  private static func hasFiles(_ slug: String, in snapshot: StoreSnapshot) throws -> Bool {
    var query = EpisodeQuery()
    query.prefix = "\(slug)/"
    var found = false
    try snapshot.episodes(matching: query) { episode in
      found = episode.parts.contains { $0.path != nil || $0.state != .new && $0.state != .queued }
      return !found
    }
    return found
  }
}
