package import VmxModel
package import VmxStore

/// The state of a sync with the account's server: the record `account` of kind `sync`. It changes in
/// the same transaction as what was merged, so that a crash repeats a merge and skips none.
package struct SyncState: Sendable, Equatable {
  /// The id of the record.
  package static let id = "account"
  /// The largest number of refused addresses that is kept.
  private static let most = 1000

  /// The account that it is of.
  package var account: String
  /// The time of the last whole sync; nil before the first.
  package var synced: Timestamp?
  /// The time at which late reports of other devices were last asked for; nil before the first.
  package var lookedBack: Timestamp?
  /// The `since` of the next request for actions, in seconds.
  package var actionsSince: Int64 = 0
  /// The `since` of the next request for subscriptions, in seconds.
  package var subscriptionsSince: Int64 = 0
  /// The subscriptions that the server has and the library has taken or sent, as the server has them.
  package var known: [String] = []
  /// The addresses of feeds that the server has changed, by those of the library.
  package var renamed: [String: String] = [:]
  /// The addresses of feeds that the server refuses.
  package var refused: [String] = []
  /// The number of episodes with actions of the last sync that the library does not have.
  package var unmatched: Int64 = 0

  /// Creates the state before the first sync of an account.
  package init(of account: SyncAccount) { self.account = account.id }

  /// Reads the state of an account; the one before the first sync if there is none, or one of another
  /// account.
  package init(of account: SyncAccount, _ record: StoredRecord?) {
    self.init(of: account)
    guard let fields = record?.fields, fields["account"]?.string == account.id else { return }
    synced = fields["synced"]?.string.flatMap { Timestamp($0) }
    lookedBack = fields["looked_back"]?.string.flatMap { Timestamp($0) }
    actionsSince = max(0, fields["actions_since"]?.integer ?? 0)
    subscriptionsSince = max(0, fields["subscriptions_since"]?.integer ?? 0)
    known = fields["known"]?.array?.compactMap(\.string) ?? []
    for field in fields["renamed"]?.object?.fields ?? [] { renamed[field.key] = field.value.string }
    refused = fields["refused"]?.array?.compactMap(\.string) ?? []
    unmatched = max(0, fields["unmatched"]?.integer ?? 0)
  }

  /// The record.
  package var stored: StoredRecord {
    var fields = JSONObject()
    fields.append("account", account)
    fields.append("synced", synced?.text)
    fields.append("looked_back", lookedBack?.text)
    fields.append("actions_since", .integer(actionsSince))
    fields.append("subscriptions_since", .integer(subscriptionsSince))
    fields.append("known", .array(known.map { .string($0) }))
    let renamed = renamed.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
    if !renamed.isEmpty { fields.append("renamed", .object(JSONObject(distinct: renamed))) }
    let refused = refused.suffix(Self.most)
    if !refused.isEmpty { fields.append("refused", .array(refused.map { .string($0) })) }
    if unmatched > 0 { fields.append("unmatched", .integer(unmatched)) }
    return StoredRecord(kind: .sync, id: Self.id, fields: fields)
  }

  /// The address by which the server has a feed.
  package func address(of feed: Subscription) -> String { renamed[feed.url] ?? feed.url }

  /// Whether a feed is the one at an address of the server.
  package func isFeed(_ feed: Subscription, at address: String) -> Bool {
    feed.hasURL(address) || renamed[feed.url] == address
  }

  /// Takes over the addresses that the server has changed. Only those of feeds are kept: those of
  /// videos are not sent twice.
  package mutating func take(_ renamed: [String: String], of sent: Set<String>) {
    for (old, new) in renamed where sent.contains(old) {
      known.removeAll { $0 == old }
      if new.isEmpty {
        if !refused.contains(old) { refused.append(old) }
      } else {
        self.renamed[old] = new
        if !known.contains(new) { known.append(new) }
      }
    }
  }
}

/// The time of the newest action of an episode that was merged or sent: a record of kind `sync` with
/// the id of the episode. An older action has no effect any more.
package struct SyncMark: Sendable, Equatable {
  /// The time.
  package let at: Timestamp

  /// Creates a mark.
  package init(at: Timestamp) { self.at = at }

  /// Decodes a record; nil for none or a malformed one.
  package init?(_ record: StoredRecord?) {
    guard let at = record?.fields["newest"]?.string.flatMap({ Timestamp($0) }) else { return nil }
    self.at = at
  }

  /// Returns the record for an episode.
  package func stored(of id: EpisodeID) -> StoredRecord {
    StoredRecord(
      kind: .sync, id: id.description,
      fields: JSONObject(distinct: [("newest", .string(at.text))]))
  }
}

/// The rule for addresses that contain a password or a token.
package enum SecretAddress {
  private static let marks = ["token=", "key=", "auth="]

  /// Whether an address has user information, or a query that lets its holder in.
  package static func isSecret(_ address: String) -> Bool {
    if hasMark(address) { return true }
    do throws(Failure) {
      let url = try WebURL(address)
      return url.user != nil || url.password != nil
    } catch {
      // A text that is no URL is sent to no server.
      return true
    }
  }

  /// Whether a guid is such an address. Most are no addresses at all.
  package static func isSecret(guid: String) -> Bool {
    guid.contains("://") ? isSecret(guid) : hasMark(guid)
  }

  private static func hasMark(_ text: String) -> Bool {
    let text = text.lowercased()
    return marks.contains { text.contains($0) }
  }
}
