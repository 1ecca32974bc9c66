/// A person as a catalogue describes it; unknown fields are nil.
package struct CataloguePerson: Sendable, Equatable {
  /// The id of the person in the catalogue.
  package let id: Int64
  /// The name.
  package let name: String
  /// The page of the person in the catalogue.
  package var page: String?
  /// The name of the country.
  package var country: String?
  /// The day of birth.
  package var born: CalendarDay?
  /// The day of death.
  package var died: CalendarDay?
  /// The gender, in the words of the catalogue.
  package var gender: String?
  /// The addresses of the picture.
  package var image: CatalogueImage?
  /// The time of the last change in the catalogue.
  package var updated: Timestamp?

  /// Creates a person with only an id and a name.
  package init(id: Int64, name: String) {
    self.id = id
    self.name = name
  }
}

/// A person's role in a show.
package struct CatalogueCredit: Sendable, Equatable {
  /// The kind of a credit.
  package enum Kind: String, Sendable, CaseIterable {
    case cast, crew, guest
  }

  /// The kind.
  package let kind: Kind
  /// The show.
  package let show: CatalogueShow
  /// The name of the character, or the job in the crew.
  package var role: String?
  /// Whether the person appears as themselves.
  package var isSelf = false
  /// Whether it is a voice role.
  package var isVoice = false
  /// The episode of a guest appearance.
  package var episode: CatalogueEpisode?

  /// Creates a credit in a show.
  package init(_ kind: Kind, in show: CatalogueShow) {
    self.kind = kind
    self.show = show
  }
}
