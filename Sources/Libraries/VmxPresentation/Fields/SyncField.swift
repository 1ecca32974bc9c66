/// The fields of a change by `vmx sync now` in listings.
package enum SyncField: String, ListingField {
  case direction, change, id, outcome, at, code, message
  case position = "position_ms"

  package static let defaultFields: [SyncField] = [.direction, .change, .id, .outcome, .position]
  package static let recorded: [SyncField] = [.direction, .change, .position, .at]

  package var key: FieldKey {
    switch self {
    case .direction: FieldKey(.word, "here (in the library) or there (at the server)")
    case .change:
      FieldKey(
        .word,
        "watched, unwatched, position, played, downloaded, deleted, subscribed or unsubscribed")
    case .id: FieldKey(.text, "The id of the episode or feed")
    case .outcome: .outcome
    case .at: FieldKey(.time, "The time of the change")
    case .code: .errorCode
    case .message: .errorMessage
    case .position: FieldKey(.milliseconds, "The position where playback resumes")
    }
  }
}
