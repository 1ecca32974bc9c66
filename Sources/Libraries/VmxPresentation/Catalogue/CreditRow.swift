package import VmxModel

/// The fields of a credit: the role of a person in a show.
package enum CreditField: String, ListingField {
  case id, row, kind, role
  case isSelf = "self"
  case voice, title, show, premiered, status, network, episode, person, source
  case sourceURL = "source_url"

  package static let defaultFields: [CreditField] = [.id, .title, .premiered, .kind, .role]

  package var key: FieldKey {
    switch self {
    case .id:
      FieldKey(.text, "The id of the show in the catalogue", side: .right, importance: 2)
    case .row: .row("credit")
    case .kind: FieldKey(.word, "cast, crew or guest")
    case .role: FieldKey(.text, "The name of the character, or the job in the crew", .end)
    case .isSelf: FieldKey(.boolean, "Whether the person appears as themselves")
    case .voice: FieldKey(.boolean, "Whether it is a voice role")
    case .title: FieldKey(.text, "The title of the show", .end, importance: 1)
    case .show: FieldKey(.text, "The first half of the ids of its episodes")
    case .premiered: FieldKey(.day, "The date of the first episode")
    case .status: FieldKey(.text, "The status of the show, as in the catalogue")
    case .network: FieldKey(.text, "The network or web channel")
    case .episode: FieldKey(.text, "The title of the episode with the guest", .end)
    case .person: FieldKey(.text, "The name of the person")
    case .source: .source
    case .sourceURL: .sourceURL
    }
  }
}

/// A credit, as a row of output. Its id is that of the show, so that commands that accept shows
/// accept the row.
package struct CreditRow: ListingRow {
  private let credit: CatalogueCredit
  private let person: CataloguePerson
  private let slug: Slug

  /// Creates the row of a credit.
  ///
  /// - Parameters:
  ///   - person: the person whose credit it is.
  ///   - slug: the first half of the ids of the show's episodes.
  package init(_ credit: CatalogueCredit, of person: CataloguePerson, slug: Slug) {
    self.credit = credit
    self.person = person
    self.slug = slug
  }

  package var id: String { "\(credit.show.id)" }

  package func value(_ field: CreditField) -> RowValue {
    switch field {
    // In text for programs, a number alone could also be a rank or the id of a person.
    case .id:
      .object(.string(id), text: CatalogueID.text(ofShow: id)).shown(Cell(id, .strong))
    case .row: .word(RowKind.credit.rawValue)
    case .kind: .word(credit.kind.rawValue)
    case .role: .text(nonEmpty: credit.role)
    case .isSelf: .flag(credit.isSelf)
    case .voice: .flag(credit.isVoice)
    case .title: .text(nonEmpty: credit.show.title)
    case .show: .text(nonEmpty: slug.description)
    case .premiered: .text(credit.show.premiered?.description).styled(.dim)
    case .status: .text(nonEmpty: credit.show.status)
    case .network: .text(nonEmpty: credit.show.network)
    case .episode: .text(nonEmpty: credit.episode?.title)
    case .person: .text(nonEmpty: person.name)
    case .source: .text(CatalogueSource.name)
    case .sourceURL: .text(nonEmpty: credit.show.page ?? person.page)
    }
  }
}
