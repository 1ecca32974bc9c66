package import VmxModel
package import VmxStore

/// The slugs of shows of the catalogue, the first halves of the ids of their episodes.
///
/// A show keeps the slug that the library ties to it. Another one gets that of its title, with the
/// year where a show of that name has it already, in the library or earlier in the same run.
///
///     var slugs = ShowSlugs(in: try store.snapshot())
///     let slug = slugs.slug(of: show)
package struct ShowSlugs: Sendable {
  private var slugs: [Int64: Slug] = [:]
  private var shows: [Slug: Int64] = [:]

  /// Reads the ties of the library: its favourites, and the shows that were added from the catalogue.
  package init(in snapshot: StoreSnapshot) {
    for kind in [RecordKind.favourite, .show] {
      snapshot.records(of: kind) { record in
        if let id = record.fields["tvmaze"]?.integer, let slug = Slug(valid: record.id) {
          tie(slug, to: id)
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
    tie(slug, to: show.id)
    return slug
  }

  private mutating func tie(_ slug: Slug, to show: Int64) {
    if shows[slug] == nil { shows[slug] = show }
    if slugs[show] == nil { slugs[show] = slug }
  }
}
