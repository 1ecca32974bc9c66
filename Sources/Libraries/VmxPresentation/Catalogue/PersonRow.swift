package import VmxModel

/// The fields of a person of the catalogue.
package enum PersonField: String, ListingField {
  case id, row, name, country, born, died, gender, image
  case imageFile = "image_file"
  case updated, source
  case sourceURL = "source_url"

  package static let defaultFields: [PersonField] = [.id, .name, .born, .country]

  package var column: Column {
    switch self {
    case .id: Column(heading, .right, importance: 1)
    case .name: Column(heading, .left, .end)
    default: Column(heading)
    }
  }
}

/// A person of the catalogue, as a row of output.
package struct PersonRow: ListingRow {
  private let person: CataloguePerson
  private let imageFile: String?

  /// Creates the row of a person.
  ///
  /// - Parameter imageFile: the path of the picture in the cache.
  package init(_ person: CataloguePerson, imageFile: String? = nil) {
    self.person = person
    self.imageFile = imageFile
  }

  package var id: String { "\(person.id)" }

  package func cell(_ field: PersonField) -> Cell {
    field == .id ? Cell(id, .strong) : Cell(exact(field))
  }

  package func exact(_ field: PersonField) -> String {
    switch field {
    case .id: CatalogueID.text(ofPerson: id)
    case .row: "person"
    case .name: person.name
    case .country: person.country ?? ""
    case .born: person.born?.description ?? ""
    case .died: person.died?.description ?? ""
    case .gender: person.gender ?? ""
    case .image: person.image?.best ?? ""
    case .imageFile: imageFile ?? ""
    case .updated: person.updated?.text ?? ""
    case .source: CatalogueSource.name
    case .sourceURL: person.page ?? ""
    }
  }

  package func json(_ field: PersonField) -> JSONValue? {
    if field == .id { return .string(id) }
    return exact(field).isEmpty ? nil : .string(exact(field))
  }

  /// All details of the person as labelled lines.
  package var details: Details {
    let lines = PersonField.allCases.filter { ![.row, .name, .source].contains($0) }
      .map { Details.Line($0.label, cell($0).text) }
    return Details(heading: person.name, lines: lines.filter { !$0.isEmpty })
  }
}
