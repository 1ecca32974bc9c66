package import VmxModel
package import VmxStore

/// The subscriptions of a library.
///
/// ```swift
/// let subscriptions = Subscriptions(store)
/// let feed = try subscriptions.named("https://example.org/feed.xml")
/// ```
package struct Subscriptions: Sendable {
  private let store: LibraryStore

  /// Creates an accessor for the subscriptions in a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Returns all subscriptions in the order in which they were added. Unreadable records are
  /// omitted and reported in the notes.
  ///
  /// - Throws: errors of reading the store.
  package func all() throws -> (feeds: [Subscription], notes: [String]) {
    Self.all(in: try store.snapshot())
  }

  /// Returns all subscriptions in a snapshot, like `all()`.
  package static func all(in snapshot: StoreSnapshot) -> (feeds: [Subscription], notes: [String]) {
    var records: [StoredRecord] = []
    snapshot.records(of: .feed) { record in
      records.append(record)
      return true
    }
    return decoded(records)
  }

  private static func decoded(
    _ records: [StoredRecord]
  ) -> (feeds: [Subscription], notes: [String]) {
    var feeds: [Subscription] = []
    var notes: [String] = []
    for record in records {
      do throws(Failure) {
        feeds.append(try Subscription(record))
      } catch {
        notes.append(error.summary)
      }
    }
    return (feeds, notes)
  }

  /// Returns the feed with the given id or URL, or else with the given title, case ignored.
  ///
  /// - Throws: `no-such-feed`, `ambiguous` for the title of several; errors of reading the store.
  package func named(_ name: String) throws -> Subscription {
    let text = WebURL.isMeant(by: name) ? try WebURL(name).text : name
    let feeds = try all().feeds
    if let feed = feeds.first(where: { $0.id == text || $0.hasURL(text) }) { return feed }
    let titled = feeds.filter { $0.title.lowercased() == name.lowercased() }
    guard titled.count < 2 else {
      let ids = titled.map { "'\($0.id)'" }.joined(separator: ", ")
      throw Failure(
        .ambiguous, "several feeds have the title '\(name)'", hint: "give one of the ids \(ids)")
    }
    guard let feed = titled.first else {
      throw Failure(
        .noSuchFeed, "no feed has the id, title or URL '\(URLRedaction.redacted(operand: name))'")
    }
    return feed
  }

  /// Records a feed durably with a free id, unless a feed with its URL exists.
  ///
  /// - Returns: the recorded feed, and whether it is new.
  /// - Throws: store errors.
  package func add(_ feed: Subscription) throws -> (feed: Subscription, isNew: Bool) {
    // A known feed needs no lock, and this read builds the index before the lock is acquired.
    if let known = try all().feeds.first(where: { $0.hasURL(feed.url) }) { return (known, false) }
    return try store.update(.durable) { Self.add([feed], in: &$0)[0] }
  }

  /// Adds feeds in a transaction, like `add`.
  ///
  /// - Returns: the recorded feed for each, and whether it is new.
  package static func add(
    _ feeds: [Subscription], in transaction: inout StoreTransaction
  ) -> [(feed: Subscription, isNew: Bool)] {
    var known: [String: Subscription] = [:]
    for feed in decoded(transaction.records(of: .feed)).feeds {
      for url in feed.urls { known[url] = known[url] ?? feed }
    }
    return feeds.map { feed in
      if let other = known[feed.url] { return (other, false) }
      var feed = feed
      feed.id = freeID(of: feed, in: transaction)
      feed.added = feed.added ?? transaction.now
      feed.rev = transaction.write(feed.stored)
      known[feed.url] = feed
      return (feed, true)
    }
  }

  private static func freeID(of feed: Subscription, in transaction: StoreTransaction) -> String {
    let base = feed.slugOfTitle
    var id = base.description
    var number = 1
    while transaction.record(.feed, id) != nil {
      number += 1
      id = base.numbered(number).description
    }
    return id
  }

  /// Gives a feed that was never read, and so has no episodes, its title, its show and the id that
  /// `add` gives a feed of that title.
  ///
  /// - Returns: the recorded feed; the given one if nothing changes, or it was removed.
  /// - Throws: `store-damaged`.
  static func rename(
    _ feed: Subscription, as named: Subscription, in transaction: inout StoreTransaction
  ) throws -> Subscription {
    guard named != feed, let record = transaction.record(.feed, feed.id) else { return feed }
    var present = try Subscription(record)
    guard present.isNamedByHost else { return present }
    (present.title, present.show) = (named.title, named.show)
    transaction.delete(.feed, feed.id)
    present.id = freeID(of: present, in: transaction)
    present.rev = transaction.write(present.stored)
    return present
  }

  /// Changes a feed in a transaction. A feed that was removed in the meantime stays removed.
  ///
  /// - Returns: the changed feed; nil if it does not exist.
  /// - Throws: `store-damaged`.
  @discardableResult
  package static func change(
    _ id: String, in transaction: inout StoreTransaction, _ body: (inout Subscription) -> Void
  ) throws -> Subscription? {
    guard let record = transaction.record(.feed, id) else { return nil }
    var feed = try Subscription(record)
    body(&feed)
    feed.id = id
    feed.rev = transaction.write(feed.stored)
    return feed
  }

  /// Records a feed durably, like `add(_:)`, and stores the URL's user and password as a secret.
  ///
  /// - Throws: store errors, and errors of writing the secrets.
  package func add(
    _ feed: Subscription, at url: WebURL
  ) throws -> (feed: Subscription, isNew: Bool) {
    var feed = feed
    feed.url = url.text
    feed.secret = try secret(of: url) ?? feed.secret
    return try add(feed)
  }

  /// Stores the user and password of a URL, and returns their reference; nil if it has none. A
  /// secret that is stored already keeps its reference.
  ///
  /// - Throws: errors of writing the secrets.
  package func secret(of url: WebURL) throws -> String? {
    guard let user = url.user else { return nil }
    return try store.secrets.save(Secret(user: user, password: url.password ?? ""))
  }

  /// Whether a URL has another user or password than the feed.
  ///
  /// - Throws: errors of reading the secrets.
  package func hasOtherSecret(_ url: WebURL, than feed: Subscription) throws -> Bool {
    guard let user = url.user else { return false }
    guard let reference = feed.secret else { return true }
    do {
      return try store.secrets.get(reference) != Secret(user: user, password: url.password ?? "")
    } catch StoreError.noSecret {
      return true
    }
  }

  /// Returns a snapshot for a number of lookups by identity keys.
  func snapshot(forLookups count: Int) throws -> StoreSnapshot {
    if count > LibraryStore.maxUnindexedLookups { try store.prepareForMany() }
    return try store.snapshot()
  }

  /// Changes the current record of a feed durably. A feed that was removed in the meantime stays
  /// removed.
  ///
  /// - Returns: the recorded feed; nil if it does not exist.
  /// - Throws: store errors.
  package func change(
    _ id: String, _ body: (inout Subscription) -> Void
  ) throws -> Subscription? {
    // A change without effect needs no lock.
    if let record = try store.snapshot().record(.feed, id) {
      let before = try Subscription(record)
      var after = before
      body(&after)
      if after == before { return before }
    }
    return try store.update(.durable) { try Self.change(id, in: &$0, body) }
  }

  /// Removes a feed durably. Its episodes are not changed.
  ///
  /// - Throws: store errors.
  package func remove(_ id: String) throws {
    try store.update(.durable) { $0.delete(.feed, id) }
  }
}

extension Subscription {
  fileprivate var stored: StoredRecord { StoredRecord(kind: .feed, id: id, fields: record) }

  /// Decodes a record of kind `feed`.
  fileprivate init(_ record: StoredRecord) throws(Failure) {
    try self.init(id: record.id, record: record.fields)
    rev = record.seq
  }
}
