package import VmxModel

/// The fields of a person of the catalogue.
package enum PersonField: String, ListingField {
  case id, row, name, country, born, died, gender, image
  case imageFile = "image_file"
  case updated, source
  case sourceURL = "source_url"

  package static let defaultFields: [PersonField] = [.id, .name, .born, .country]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id in the catalogue", side: .right, importance: 1)
    case .row: .row("person")
    case .name: FieldKey(.text, "The name", fitting: .end)
    case .country: FieldKey(.text, "The name of the country")
    case .born: FieldKey(.day, "The date of birth")
    case .died: FieldKey(.day, "The date of death")
    case .gender: FieldKey(.text, "The gender, as in the catalogue")
    case .image: FieldKey(.text, "The URL of the image")
    case .imageFile: .imageFile
    case .updated: FieldKey(.time, "The time of the last change in the catalogue")
    case .source: .source
    case .sourceURL: .sourceURL
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

  package func value(_ field: PersonField) -> RowValue {
    switch field {
    case .id:
      .object(.string(id), text: CatalogueID.text(ofPerson: id)).shown(Cell(id, .strong))
    case .row: .word(RowKind.person.rawValue)
    case .name: .text(nonEmpty: person.name)
    case .country: .text(nonEmpty: person.country)
    case .born: .text(person.born?.description)
    case .died: .text(person.died?.description)
    case .gender: .text(nonEmpty: person.gender)
    case .image: .text(nonEmpty: person.image?.best)
    case .imageFile: .text(nonEmpty: imageFile)
    case .updated: .time(person.updated)
    case .source: .text(CatalogueSource.name)
    case .sourceURL: .text(nonEmpty: person.page)
    }
  }

  /// All details of the person as labelled lines.
  package var details: Details {
    let lines = PersonField.allCases.filter { ![.row, .name, .source].contains($0) }
      .map { Details.Line($0.label, cell($0).text) }
    return Details(heading: person.name, lines: lines.filter { !$0.isEmpty })
  }
}
