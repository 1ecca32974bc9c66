package import VmxModel
package import VmxStore

/// The records of a show in the store: of kind `show`, and of kind `favourite` if it is one.
package struct RecordedShow: Sendable, Equatable {
  /// The slug of the show.
  package let slug: String
  /// The record of the show; nil for none.
  package var show: LibraryShow?
  /// The record of kind `favourite`; nil for a show that is none.
  package var favourite: LibraryShow?
  /// The number of the later of their lines; 0 for none.
  package let rev: Int64
  /// The time of the later of their lines; nil for none.
  package let at: Timestamp?

  /// Reads the records of a show.
  ///
  /// - Throws: `store-damaged` if one of them cannot be decoded.
  package init(_ slug: String, in records: some RecordLookup) throws(Failure) {
    let stored = [records.record(.show, slug), records.record(.favourite, slug)]
    let lines = stored.compactMap(\.self)
    self.init(
      slug, try records.show(slug), favourite: try records.show(slug, .favourite),
      rev: lines.map(\.seq).max() ?? 0, at: lines.compactMap(\.at).max())
  }

  init(
    _ slug: String, _ show: LibraryShow?, favourite: LibraryShow?, rev: Int64, at: Timestamp?
  ) {
    (self.slug, self.show, self.favourite, self.rev, self.at) = (slug, show, favourite, rev, at)
  }

  /// Whether the store has no record of the show.
  package var isEmpty: Bool { show == nil && favourite == nil }
}

extension StoreTransaction {
  /// Replaces the records of a show by those that its sidecar has, with the title in its episodes.
  ///
  /// - Throws: `store-damaged`, and the errors of the store.
  package mutating func restore(_ restored: RecordedShow) throws {
    let slug = restored.slug
    if let show = restored.show, try self.show(slug) != show {
      try write(show, replacing: knownShow(slug))
    }
    guard try show(slug, .favourite) != restored.favourite else { return }
    if let favourite = restored.favourite {
      write(StoredRecord(kind: .favourite, id: slug, fields: favourite.record))
    } else {
      delete(.favourite, slug)
    }
  }
}

extension LibraryShow {
  /// The fields that only a person sets, or that a person sets with a stronger claim than any other
  /// source.
  static let fieldsOfUser: [Field] = [.title, .ageRating, .keepNext, .meteredOK]

  /// Takes the values that a person has set later in another record of the show.
  ///
  /// - Parameters:
  ///   - isPast: whether a time can have been written by a right clock.
  ///   - mayRate: whether the age rating may change.
  mutating func takeValues(
    of other: LibraryShow, mayRate: Bool, isPast: (Timestamp) -> Bool
  ) {
    for field in Self.fieldsOfUser where mayRate || field != .ageRating {
      guard let time = other.by.time(show: field), isPast(time),
        by.time(show: field).map({ $0 < time }) ?? true
      else { continue }
      switch field {
      case .ageRating: ageRating = other.ageRating
      case .keepNext: keepNext = other.keepNext
      case .meteredOK: isMeteredOK = other.isMeteredOK
      default: takeName(of: other)
      }
      by.take(show: field, from: other.by)
    }
  }

  /// The show as it is read beside the media: without unknown fields, and without addresses that no
  /// other source may give.
  var stripped: LibraryShow {
    var show = bounded
    show.extra = JSONObject()
    show.page = show.page.flatMap { WebURL(valid: $0)?.text }
    show.site = show.site.flatMap { WebURL(valid: $0)?.text }
    if let url = show.picture?.url, !url.isEmpty, WebURL(valid: url) == nil { show.picture = nil }
    show.picture?.extra = JSONObject()
    return show
  }

  /// The show without a first day that only its episodes tell: each new episode may change it.
  var withoutDerivedDay: LibraryShow {
    guard by[show: .premiered] == .name else { return self }
    var show = self
    show.premiered = nil
    show.by.take(show: .premiered, from: FieldOrigins())
    return show
  }
}
