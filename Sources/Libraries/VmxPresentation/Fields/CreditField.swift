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
    case .role: FieldKey(.text, "The name of the character, or the job in the crew", fitting: .end)
    case .isSelf: FieldKey(.boolean, "Whether the person appears as themselves")
    case .voice: FieldKey(.boolean, "Whether it is a voice role")
    case .title: FieldKey(.text, "The title of the show", fitting: .end, importance: 1)
    case .show: FieldKey(.text, "The first half of the ids of its episodes")
    case .premiered: FieldKey(.day, "The date of the first episode")
    case .status: FieldKey(.text, "The status of the show, as in the catalogue")
    case .network: FieldKey(.text, "The network or web channel")
    case .episode: FieldKey(.text, "The title of the episode with the guest", fitting: .end)
    case .person: FieldKey(.text, "The name of the person")
    case .source: .source
    case .sourceURL: .sourceURL
    }
  }
}
