import VmxModel
import VmxPresentation

/// The state of the sync with a server, as a row. It contains no secrets.
struct SyncStatusRow: ListingRow, Sendable, Equatable {
  var id: String { "sync" }
  var kind: RowKind? { .sync }
  private let account: SyncAccount?
  private let synced: Timestamp?
  private let waiting: Int
  private let feeds: Int
  private let unmatched: Int64
  private let now: Timestamp
  /// Whether the state is that of a dry run, which a request would lead to. The dialect is then
  /// unknown, because the server was not asked.
  var isPlanned = false

  /// Creates the row of a state.
  ///
  /// - Parameters:
  ///   - account: the account; nil if there is none.
  ///   - synced: the time of the last complete sync.
  ///   - waiting: the number of events that have not been sent yet.
  ///   - feeds: the number of subscriptions that have not been sent yet.
  ///   - unmatched: the number of episodes reported by the server that are not in the library.
  init(
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

  func value(_ field: SyncStatusField) -> RowValue {
    switch field {
    case .state: .word(account == nil ? "off" : "on", account == nil ? .plain : .success)
    case .url: .text(nonEmpty: account.map { URLRedaction.redacted($0.url) })
    case .user: .text(nonEmpty: account?.user)
    case .dialect: .word(isPlanned ? nil : account?.dialect.rawValue)
    case .device: .text(nonEmpty: account?.device)
    case .synced: .time(synced, relativeTo: now, absent: account == nil ? "" : "never")
    case .waiting: .number(account.map { _ in waiting })
    case .feeds: .number(account.map { _ in feeds })
    case .unmatched: .number(account.map { _ in unmatched })
    case .outcome: .word(isPlanned ? OperationResult.planned.name : nil)
    }
  }
}
