/// The fields of a licence in listings.
package enum LicenceField: String, ListingField {
  case id, outcome, state, text, starts, expires
  case remaining = "left_ms"
  case playPeriod = "play_period_ms"
  case played, registered
  case licence = "licence_id"
  case provider, status, message, seen, offers
  case potentialEnd = "potential_end"
  case page, pending, title, code

  package static let defaultFields: [LicenceField] = [.id, .state, .remaining, .offers, .text]
  package static let recorded =
    [.title] + allCases.filter { ![.id, .outcome, .code, .title].contains($0) }

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .outcome: .outcome
    case .state: FieldKey(.word, "The state of the licence, as in vmx-states(7)")
    case .text: FieldKey(.text, "The state in words, with the relevant time", fitting: .end)
    case .starts: FieldKey(.time, "The start of the right to play it")
    case .expires:
      FieldKey(.time, "The end of the right to play it; absent if there is none")
    case .remaining: FieldKey(.milliseconds, "The time until that end; 0 after it")
    case .playPeriod:
      FieldKey(.milliseconds, "The playing period, which begins with the first play")
    case .played: FieldKey(.time, "The time of the first play on this device")
    case .registered:
      FieldKey(.time, "The time when this device was registered with the provider")
    case .licence: FieldKey(.text, "The id of the licence")
    case .provider: FieldKey(.text, "The URI of the provider")
    case .status: FieldKey(.word, "The provider's status, as last read")
    case .message: FieldKey(.text, "The provider's message", fitting: .end)
    case .seen: FieldKey(.time, "The time when the status was last read; absent if never")
    case .offers: FieldKey(.list, "The provider's offers: register, renew, renew-page, return")
    case .potentialEnd: FieldKey(.time, "The latest end that a renewal can reach")
    case .page: FieldKey(.text, "The URL of a page on which the user can renew it")
    case .pending: FieldKey(.word, "The pending call: renew or return")
    case .title: FieldKey(.text, "The title of the episode", fitting: .end)
    case .code: .errorCode
    }
  }
}
