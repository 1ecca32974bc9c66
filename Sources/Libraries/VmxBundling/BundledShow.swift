package import VmxModel
package import VmxStore

/// A show in the records of a bundle: what describes it, or its mark as a favourite.
package struct BundledShow: Sendable, Equatable {
  private static let kinds: [RecordKind] = [.show, .favourite]

  /// `show` or `favourite`.
  package let kind: RecordKind
  /// The show, without fields that are local to the library that wrote it.
  package var show: LibraryShow

  /// Returns the records to export for episodes with this slug: the show and the favourite.
  package static func shows(of slug: String, in snapshot: StoreSnapshot) throws -> [BundledShow] {
    try kinds.compactMap { kind in
      guard let fields = snapshot.record(kind, slug)?.fields else { return nil }
      let show = try LibraryShow(fields, slug: slug)
      // The episodes have the title of their show.
      guard kind == .favourite || show.isDescribed else { return nil }
      return BundledShow(kind, show)
    }
  }

  /// Creates a record of a show.
  init(_ kind: RecordKind, _ show: LibraryShow) {
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
      var show = try LibraryShow(record, slug: slug, code: .badLine).described
      if show.title?.isEmpty ?? false { show.title = nil }
      if kind == .favourite { show.ageRating = nil }
      show.page = try show.page.map { text throws(Failure) in try WebURL(text).text }
      show.site = try show.site.map { text throws(Failure) in try WebURL(text).text }
      show.removeCredentials()
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
    var show = show.described
    show.removeCredentials()
    for field in show.record.fields { object.append(field.key, field.value) }
    if show.tvmaze != nil { object.append("source", CatalogueSource.name) }
    return object
  }
}

extension LibraryShow {
  /// Removes credentials from the address of the picture, and an address that is no URL.
  fileprivate mutating func removeCredentials() {
    let url = picture.flatMap { WebURL(valid: SecretQuery.removed(from: $0.url)) }
    if let url { picture?.url = url.text } else { picture = nil }
  }
}
