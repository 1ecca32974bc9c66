/// The fields of feeds in listings.
package enum FeedField: String, ListingField {
  case id, title, show, want, outcome, checked, items, added, wanted, excluded, url
  case keepLast = "keep_last"
  case match, skip, quality
  case onChange = "on_change"
  case folder
  case interval = "interval_ms"
  case complete, paused
  case failingSince = "failing_since"
  case code, attempts

  package static let defaultFields: [FeedField] = [.id, .want, .checked, .title, .url]
  package static let recorded = allCases.filter { $0 != .outcome }
  /// The fields of the result of an operation on a feed.
  package static let outcomes: [FeedField] = [.outcome, .id, .items, .added, .wanted, .title]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The feed")
    case .title: FieldKey(.text, "The title", fitting: .end)
    case .show: FieldKey(.text, "The linked show")
    case .want: FieldKey(.text, "The new episodes to request: none, all, new or latest:N")
    case .outcome: .outcome
    case .checked: FieldKey(.time, "The time of the last check")
    case .items:
      FieldKey(.number, "The number of items with a file, if this run read the feed")
    case .added: FieldKey(.number, "The number of added episodes")
    case .wanted: FieldKey(.number, "The number of added episodes that are wanted")
    case .excluded: FieldKey(.number, "The number of items that the filters exclude")
    case .url:
      FieldKey(
        .text, "The URL without user, password and secret values of its query", fitting: .end)
    case .keepLast: FieldKey(.number, "The number of newest episodes that vmx clean keeps")
    case .match: FieldKey(.list, "Only titles that contain one of these texts")
    case .skip: FieldKey(.list, "Skips titles that contain one of these texts")
    case .quality: FieldKey(.text, "The preferred quality")
    case .onChange: FieldKey(.text, "The rule for other versions of ready episodes, if not keep")
    case .folder: FieldKey(.text, "The folder for new episodes, relative to the root")
    case .interval: FieldKey(.milliseconds, "The time between two checks")
    case .complete: FieldKey(.boolean, "Whether the publisher has declared the feed complete")
    case .paused:
      FieldKey(.boolean, "Whether checks are paused because another device unsubscribed")
    case .failingSince:
      FieldKey(.time, "The time of the first failed check since a successful one")
    case .code: FieldKey(.text, "The error code of the last failed check")
    case .attempts: FieldKey(.number, "The number of failed checks since a successful one")
    }
  }
}
