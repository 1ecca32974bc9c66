/// The fields of a place that holds files of an episode, in listings.
package enum CopyField: String, ListingField {
  case id, place, type, presence, same, verified, copies

  package static let defaultFields: [CopyField] = [.id, .presence, .verified, .type, .place]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .place: FieldKey(.text, "The absolute path of the file or bundle", fitting: .end)
    case .type: FieldKey(.word, "library, or the type of the bundle")
    case .presence: FieldKey(.word, "reachable, unreachable, missing or changed")
    case .same:
      FieldKey(.boolean, "Whether it has the same bytes as the library, if known")
    case .verified: FieldKey(.time, "The time when its bytes were last written or verified")
    case .copies: FieldKey(.number, "The number of places with the episode")
    }
  }
}
