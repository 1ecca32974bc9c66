/// The fields of the state of the sync in listings.
package enum SyncStatusField: String, ListingField {
  case state, url, user, dialect, device, synced, waiting, feeds, unmatched, outcome

  package static let defaultFields: [SyncStatusField] = [
    .state, .url, .user, .synced, .waiting, .feeds, .unmatched,
  ]

  package var key: FieldKey {
    switch self {
    case .state: FieldKey(.word, "on, or off if there is no account")
    case .url: FieldKey(.text, "The URL of the server", fitting: .end)
    case .user: FieldKey(.text, "The user name of the account, without a token")
    case .dialect: FieldKey(.word, "gpodder or nextcloud")
    case .device: FieldKey(.text, "The device id of this installation at the server")
    case .synced: FieldKey(.time, "The time of the last complete sync")
    case .waiting: FieldKey(.number, "The number of events to send")
    case .feeds: FieldKey(.number, "The number of subscription changes to send")
    case .unmatched:
      FieldKey(.number, "The number of episodes of other devices that the library lacks")
    case .outcome: .planned
    }
  }
}
