package import VmxModel

/// The fields of a credit: the role of a person in a show.
package enum CreditField: String, ListingField {
  case id, row, kind, role
  case isSelf = "self"
  case voice, title, show, premiered, status, network, episode, person, source
  case sourceURL = "source_url"

  package static let defaultFields: [CreditField] = [.id, .title, .premiered, .kind, .role]

  package var column: Column {
    switch self {
    case .id: Column(heading, .right, importance: 2)
    case .title: Column(heading, .left, .end, importance: 1)
    case .role, .episode: Column(heading, .left, .end)
    default: Column(heading)
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

  package func cell(_ field: CreditField) -> Cell {
    switch field {
    // In text for programs, a number alone could also be a rank or the id of a person.
    case .id: Cell(id, .strong)
    case .premiered: Cell(exact(field), .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: CreditField) -> String {
    switch field {
    case .id: CatalogueID.text(ofShow: id)
    case .row: "credit"
    case .kind: credit.kind.rawValue
    case .role: credit.role ?? ""
    case .isSelf: credit.isSelf ? "true" : "false"
    case .voice: credit.isVoice ? "true" : "false"
    case .title: credit.show.title
    case .show: slug.description
    case .premiered: credit.show.premiered?.description ?? ""
    case .status: credit.show.status ?? ""
    case .network: credit.show.network ?? ""
    case .episode: credit.episode?.title ?? ""
    case .person: person.name
    case .source: CatalogueSource.name
    case .sourceURL: credit.show.page ?? person.page ?? ""
    }
  }

  package func json(_ field: CreditField) -> JSONValue? {
    switch field {
    case .id: .string(id)
    case .isSelf: .bool(credit.isSelf)
    case .voice: .bool(credit.isVoice)
    default: exact(field).isEmpty ? nil : .string(exact(field))
    }
  }
}
