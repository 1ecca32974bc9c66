package import VmxModel
package import VmxStore

/// The state of the sync with the account's server: the record `account` of kind `sync`. It changes
/// in the same transaction as the merged data, so a crash repeats a merge and skips none.
package struct SyncState: Sendable, Equatable {
  /// The id of the record.
  package static let id = "account"
  /// The maximum number of refused addresses in the record.
  private static let maxRefused = 1000

  /// The id of the account.
  package var account: String
  /// The time of the last complete sync; nil before the first.
  package var synced: Timestamp?
  /// The time of the last query for late reports of other devices; nil before the first.
  package var lastLookback: Timestamp?
  /// The `since` of the next request for actions, in seconds.
  package var actionsSince: Int64 = 0
  /// The `since` of the next request for subscriptions, in seconds.
  package var subscriptionsSince: Int64 = 0
  /// The subscriptions at the server that the library has merged or sent, as the server writes
  /// them.
  package var known: [String] = []
  /// The addresses that the server changed: the server's address by the library's address. As in
  /// `known` and `refused`, no address contains user or password.
  package var renamed: [String: String] = [:]
  /// The addresses of feeds that the server refuses.
  package var refused: [String] = []
  /// The number of episodes in the last sync's actions that are not in the library.
  package var unmatched: Int64 = 0

  /// Creates the state before the first sync of an account.
  package init(of account: SyncAccount) { self.account = account.id }

  /// Decodes the state of an account. Returns the initial state if there is no record, or if it
  /// belongs to another account.
  package init(of account: SyncAccount, _ record: StoredRecord?) {
    self.init(of: account)
    guard let fields = record?.fields, let state = Self(reading: fields),
      state.account == account.id
    else { return }
    self = state
  }

  private init(account: String) { self.account = account }

  /// The state as a store record.
  package var stored: StoredRecord { StoredRecord(kind: .sync, id: Self.id, fields: record) }

  /// Returns the address of a feed at the server, without user and password.
  package func address(of feed: Subscription) -> String { renamed[feed.url] ?? feed.url }

  /// Returns whether the server refuses the address of a feed.
  package func isRefused(_ feed: Subscription) -> Bool {
    refused.contains(feed.url) || refused.contains(address(of: feed))
  }

  /// Returns whether a feed is the one at an address of the server.
  package func isFeed(_ feed: Subscription, at address: String) -> Bool {
    let address = FeedAddress.comparable(address)
    return (feed.urls + [renamed[feed.url]].compactMap { $0 }).contains {
      FeedAddress.comparable($0) == address
    }
  }

  /// Applies the addresses that the server changed. Only feed addresses are kept, since those of
  /// videos are not sent again.
  ///
  /// - Parameters:
  ///   - renamed: the server's addresses by the sent addresses; empty for a refused one.
  ///   - sent: the feed addresses as sent, with user and password if the user allows it.
  package mutating func apply(_ renamed: [String: String], of sent: Set<String>) {
    for (old, new) in renamed where sent.contains(old) {
      let (old, new) = (FeedAddress.known(old), FeedAddress.known(new))
      known.removeAll { $0 == old }
      if new.isEmpty {
        if !refused.contains(old) { refused.append(old) }
        continue
      }
      if !known.contains(new) { known.append(new) }
      // The sent address may itself be one that the server has changed before.
      for key in self.renamed.filter({ $0.value == old }).map(\.key) + [old] {
        self.renamed[key] = key == new ? nil : new
      }
    }
  }
}

extension SyncState: LenientRecord {
  /// The fields of the record.
  package enum Field: String, RecordField {
    case account, synced
    case lastLookback = "looked_back"
    case actionsSince = "actions_since"
    case subscriptionsSince = "subscriptions_since"
    case known, renamed, refused, unmatched
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: SyncState { SyncState(account: "") }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .account: try coder.required(&account)
    case .synced: try coder.field(&synced)
    case .lastLookback: try coder.field(&lastLookback)
    case .actionsSince:
      try coder.field(&actionsSince, absent: 0)
      actionsSince = max(0, actionsSince)
    case .subscriptionsSince:
      try coder.field(&subscriptionsSince, absent: 0)
      subscriptionsSince = max(0, subscriptionsSince)
    case .known: try coder.field(&known, absent: [])
    case .renamed: try coder.field(&renamed, omitting: [:])
    case .refused:
      var latest = Array(refused.suffix(Self.maxRefused))
      try coder.field(&latest, omitting: [])
      refused = latest
    case .unmatched:
      try coder.field(&unmatched, omitting: 0)
      unmatched = max(0, unmatched)
    }
  }
}

/// The time of an episode's newest merged or sent action: a record of kind `sync` with the id of
/// the episode. Older actions have no effect.
package struct SyncMark: Sendable, Equatable {
  /// The time.
  package let at: Timestamp

  /// Creates a mark.
  package init(at: Timestamp) { self.at = at }

  /// Decodes a record. Returns nil for a missing or malformed record.
  package init?(_ record: StoredRecord?) {
    guard let at = record?.fields["newest"]?.string.flatMap({ Timestamp($0) }) else { return nil }
    self.at = at
  }

  /// Returns the store record for an episode.
  package func stored(of id: EpisodeID) -> StoredRecord {
    StoredRecord(
      kind: .sync, id: id.description,
      fields: JSONObject(distinct: [("newest", .string(at.text))]))
  }
}

/// The rule for addresses that contain a password or a token.
package enum SecretAddress {
  /// Returns whether an address contains user information or a query with a credential.
  package static func isSecret(_ address: String) -> Bool {
    if SecretQuery.isPresent(in: address) { return true }
    do throws(Failure) {
      let url = try WebURL(address)
      return url.user != nil || url.password != nil
    } catch {
      // A text that is not a URL is never sent.
      return true
    }
  }

  /// Returns whether a guid is such an address. Most guids are not addresses.
  package static func isSecret(guid: String) -> Bool {
    guid.contains("://") ? isSecret(guid) : SecretQuery.isPresent(in: guid)
  }
}
