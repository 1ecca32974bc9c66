package import VmxModel

/// The fields of the state of the sync in listings.
package enum SyncStatusField: String, ListingField {
  case state, url, user, dialect, device, synced, waiting, feeds, unmatched, outcome

  package static let defaultFields: [SyncStatusField] = [
    .state, .url, .user, .synced, .waiting, .feeds, .unmatched,
  ]

  package var column: Column {
    switch self {
    case .waiting, .feeds, .unmatched: Column(heading, .right)
    case .url: Column(heading, .left, .end)
    default: Column(heading)
    }
  }
}

/// The state of the sync with a server, as a row. It contains no secrets.
package struct SyncStatusRow: ListingRow, Sendable, Equatable {
  package var id: String { "sync" }
  package var kind: RowKind? { .sync }
  private let account: SyncAccount?
  private let synced: Timestamp?
  private let waiting: Int
  private let feeds: Int
  private let unmatched: Int64
  private let now: Timestamp
  /// Whether the state is that of a dry run, which a request would lead to. The dialect is then
  /// unknown, because the server was not asked.
  package var isPlanned = false

  /// Creates the row of a state.
  ///
  /// - Parameters:
  ///   - account: the account; nil if there is none.
  ///   - synced: the time of the last complete sync.
  ///   - waiting: the number of events that have not been sent yet.
  ///   - feeds: the number of subscriptions that have not been sent yet.
  ///   - unmatched: the number of episodes reported by the server that are not in the library.
  package init(
    _ account: SyncAccount?, synced: Timestamp? = nil, waiting: Int = 0, feeds: Int = 0,
    unmatched: Int64 = 0, now: Timestamp
  ) {
    self.account = account
    self.synced = synced
    self.waiting = waiting
    self.feeds = feeds
    self.unmatched = unmatched
    self.now = now
  }

  package func cell(_ field: SyncStatusField) -> Cell {
    switch field {
    case .state: Cell(exact(field), account == nil ? .plain : .success)
    case .synced:
      Cell(synced.map { TimeText.relative($0, to: now) } ?? (account == nil ? "" : "never"))
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: SyncStatusField) -> String {
    switch field {
    case .state: account == nil ? "off" : "on"
    case .url: account.map { URLRedaction.redacted($0.url) } ?? ""
    case .user: account?.user ?? ""
    case .dialect: isPlanned ? "" : account?.dialect.rawValue ?? ""
    case .device: account?.device ?? ""
    case .synced: synced?.text ?? ""
    case .waiting: account == nil ? "" : "\(waiting)"
    case .feeds: account == nil ? "" : "\(feeds)"
    case .unmatched: account == nil ? "" : "\(unmatched)"
    case .outcome: isPlanned ? OperationResult.planned.name : ""
    }
  }

  package func json(_ field: SyncStatusField) -> JSONValue? {
    guard account != nil || field == .state || field == .outcome else { return nil }
    switch field {
    case .waiting: return .integer(Int64(waiting))
    case .feeds: return .integer(Int64(feeds))
    case .unmatched: return .integer(unmatched)
    default: return exact(field).isEmpty ? nil : .string(exact(field))
    }
  }
}
