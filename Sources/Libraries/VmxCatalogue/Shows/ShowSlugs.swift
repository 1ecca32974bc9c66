package import VmxModel
package import VmxStore

/// The slugs of catalogue shows, which are the first half of their episodes' ids.
///
/// A show keeps the slug that the library links to it. Any other show gets the slug of its title.
/// If that slug is taken in the library or earlier in this run, the year is added.
///
///     var slugs = ShowSlugs(in: try store.snapshot())
///     let slug = slugs.slug(of: show)
package struct ShowSlugs: Sendable {
  private var slugs: [Int64: Slug] = [:]
  private var shows: [Slug: Int64] = [:]

  /// Reads the slugs of the library's favourites and of the shows added from the catalogue.
  package init(in snapshot: StoreSnapshot) {
    for kind in RecordKind.shows {
      snapshot.records(of: kind) { record in
        if let id = record.fields["tvmaze"]?.integer, let slug = Slug(valid: record.id) {
          link(slug, to: id)
        }
        return true
      }
    }
  }

  /// Returns the slug of a show.
  package mutating func slug(of show: CatalogueShow) -> Slug {
    if let known = slugs[show.id] { return known }
    let usual = show.slug
    let slug = shows[usual] == nil ? usual : show.distinctSlug
    link(slug, to: show.id)
    return slug
  }

  private mutating func link(_ slug: Slug, to show: Int64) {
    if shows[slug] == nil { shows[slug] = show }
    if slugs[show] == nil { slugs[show] = slug }
  }
}
