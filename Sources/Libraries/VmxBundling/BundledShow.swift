package import VmxModel
package import VmxStore

/// A show in the records of a bundle: its TVMaze id and its age rating, or its mark as a favourite.
package struct BundledShow: Sendable, Equatable {
  private static let kinds: [RecordKind] = [.show, .favourite]

  /// `show` or `favourite`.
  package let kind: RecordKind
  /// The show, without fields that are local to the library that wrote it.
  package let show: LibraryShow

  /// Returns the records to export for episodes with this slug: the show and the favourite.
  package static func shows(of slug: String, in snapshot: StoreSnapshot) throws -> [BundledShow] {
    try kinds.compactMap { kind in
      guard let fields = snapshot.record(kind, slug)?.fields else { return nil }
      return BundledShow(kind, try LibraryShow(fields, slug: slug))
    }
  }

  /// Returns nil for a show without fields that are useful in another library.
  private init?(_ kind: RecordKind, _ show: LibraryShow) {
    guard kind == .favourite || show.tvmaze != nil || show.ageRating != nil else { return nil }
    self.kind = kind
    self.show = show
  }

  /// Decodes a line of the records; nil for a line of another kind, or a malformed one.
  init?(_ record: JSONObject) {
    guard let name = record["kind"]?.string,
      let kind = Self.kinds.first(where: { $0.rawValue == name }),
      record["schema"]?.integer ?? 1 == 1, let slug = record["id"]?.string,
      Slug(valid: slug) != nil
    else { return nil }
    do throws(Failure) {
      let told = try LibraryShow(record, slug: slug, code: .badLine)
      var show = LibraryShow(slug: slug, title: told.title.flatMap { $0.isEmpty ? nil : $0 })
      show.tvmaze = told.tvmaze
      if kind == .show { show.ageRating = told.ageRating }
      show.page = try told.page.map { text throws(Failure) in try WebURL(text).text }
      self.init(kind, show)
    } catch {
      return nil
    }
  }

  /// The JSON object for the records of a bundle.
  var record: JSONObject {
    var object = JSONObject(distinct: [
      ("schema", 1), ("kind", .string(kind.rawValue)), ("id", .string(show.slug)),
    ])
    object.append("title", show.title)
    object.append("tvmaze", show.tvmaze.map { .integer($0) })
    object.append("page", show.page)
    object.append("age_rating", show.ageRating?.text)
    if show.tvmaze != nil { object.append("source", CatalogueSource.name) }
    return object
  }
}
