import VmxModel
import VmxPresentation

/// A credit, as a row of output. Its id is that of the show, so that commands that accept shows
/// accept the row.
struct CreditRow: ListingRow {
  private let credit: CatalogueCredit
  private let person: CataloguePerson
  private let slug: Slug

  /// Creates the row of a credit.
  ///
  /// - Parameters:
  ///   - person: the person whose credit it is.
  ///   - slug: the first half of the ids of the show's episodes.
  init(_ credit: CatalogueCredit, of person: CataloguePerson, slug: Slug) {
    self.credit = credit
    self.person = person
    self.slug = slug
  }

  var id: String { "\(credit.show.id)" }

  func value(_ field: CreditField) -> RowValue {
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
