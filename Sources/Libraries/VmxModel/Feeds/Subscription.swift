/// A feed that the library follows, a record of kind `feed`.
///
/// The time of the last check and the validators are in the cache, so that a successful check
/// without news writes nothing to the store.
package struct Subscription: Sendable, Equatable {
  /// The id, a slug of the title; assigned once.
  package var id: String
  /// The URL to request, without user and password.
  package var url: String
  /// The URL when the feed was added, if it has moved since; identity keys name it.
  package var origin: String?
  /// The URL before the last move that the publisher announced. It is requested while `url` fails.
  package var fallback: String?
  /// The reference of the user and password in the secrets file, if any.
  package var secret: String?
  /// The title, which is also that of the show unless the feed is tied to another show.
  package var title: String
  /// The slug of the show of its episodes; nil for the slug of the title.
  package var show: Slug?
  /// The rule that selects the wanted episodes among new ones.
  package var want = WantRule.none
  /// The number of newest episodes that `vmx clean` keeps; nil for all.
  package var keepLast: Int64?
  /// Words of which at least one must occur in the title of an item; empty for any title.
  package var matching: [String] = []
  /// Words that must not occur in the title of an item.
  package var skipping: [String] = []
  /// The preference among several files of an episode; nil for the publisher's choice.
  package var quality: String?
  /// The rule for other versions of ready episodes.
  package var onChange = VersionRule.keep
  /// The folder below the root for the files of new episodes; nil for that of the show.
  package var folder: String?
  /// The time between two checks in milliseconds; nil for the setting.
  package var interval: Int64?
  /// The time of the subscription; nil for one that an earlier version recorded.
  package var added: Timestamp?
  /// The time at which all items of the first update had been imported; nil until then.
  package var initialImport: Timestamp?
  /// The time of the last change to the episodes of the feed: an import with news, or the removal
  /// of an episode's record. The new line gives the record another rev, so a cached check that
  /// does not know of the change is no evidence of items already imported.
  package var changed: Timestamp?
  /// The failure since the last successful check; nil after a successful one.
  package var failing: FeedFailing?
  /// Whether the publisher has declared that no more episodes will appear.
  package var isComplete = false
  /// Whether an update of all feeds skips it, because another device has ended the subscription.
  package var isPaused = false
  /// Whether another program or a document supplied the URL, which then may not lead to a private
  /// network.
  package var isForeign = false
  /// Unknown fields of other versions, kept unchanged.
  package var extra = JSONObject()
  /// The sequence number of the record's last line; 0 if it is not recorded. No field of the
  /// record.
  package var rev: Int64 = 0

  /// Creates a subscription that has not been read.
  package init(id: String, url: String, title: String) {
    self.id = id
    self.url = url
    self.title = title
  }

  /// The URL in identity keys; no move of the feed changes it.
  package var identity: String { origin ?? url }

  /// The URL of the feed, and its earlier ones: before the last move, and when it was added.
  package var urls: [String] { [url] + [fallback, origin].compactMap { $0 } }

  /// Whether it has only its host as its title: a server or a list names it without a title, and so
  /// did its documents.
  package var isTitledByHost: Bool { hosts.contains(title) }

  /// Whether it also was never read. Its first document then gives it its title, id and show.
  package var isNamedByHost: Bool { initialImport == nil && isTitledByHost }

  /// The hosts of its URLs.
  package var hosts: [String] { urls.compactMap { WebURL(valid: $0)?.host } }

  /// The slug of its title, which is its id unless another feed has that, and that of its show
  /// unless another show has it.
  package var slugOfTitle: Slug { Slug(transliterating: title, fallback: url) }

  /// Whether it is a feed of a show: the one that describes it, one that is tied to it, or one with
  /// its title.
  package func belongs(to show: LibraryShow) -> Bool {
    if let slug = self.show { return slug.description == show.slug }
    if let feed = show.feed, feed == id { return true }
    return slugOfTitle.description == show.slug && (show.title == nil || show.isTitle(title))
  }

  /// Whether a URL is that of the feed, now or earlier.
  package func hasURL(_ text: String) -> Bool { urls.contains(text) }

  /// Records a change to the episodes of the feed, which gives the record another line.
  package mutating func markChanged(at now: Timestamp) {
    changed = changed.map { max(now, $0.adding(milliseconds: 1)) } ?? now
  }

  /// Whether the filters accept an item with a title; case is ignored.
  package func accepts(title: String?) -> Bool {
    let title = (title ?? "").lowercased()
    let isMatching = matching.isEmpty || matching.contains { title.contains($0.lowercased()) }
    return isMatching && !skipping.contains { title.contains($0.lowercased()) }
  }

  /// Whether a new episode is wanted by the rule, and `vmx clean` would not remove it.
  ///
  /// - Parameters:
  ///   - rank: its position among the items of the feed, 0 for the newest.
  ///   - published: its time of publication. An item that appeared after the subscription is new
  ///     in the first update too, which may run much later.
  package func wants(rank: Int, published: Timestamp? = nil) -> Bool {
    var isNew = initialImport != nil
    if let added, let published { isNew = isNew || published > added }
    return want.wants(rank: rank, isFirstReading: !isNew)
      && keepLast.map { rank < $0 } ?? true
  }
}

extension Subscription: FieldRecord {
  /// The fields in the store, in the order in which they are written; the id is that of the line.
  package enum Field: String, RecordField {
    case url, origin, fallback, secret, title, show, want
    case keepLast = "keep_last"
    case match, skip, quality
    case onChange = "on_change"
    case folder
    case interval = "interval_ms"
    case added, begun, changed, failing, complete, paused, foreign
  }

  package static let fields = FieldSet<Field>(Field.allCases)
  package static var blank: Subscription { Subscription(id: "", url: "", title: "") }

  package mutating func code<C: FieldCoder>(
    _ field: Field, _ coder: inout C
  ) throws(C.Problem) {
    switch field {
    case .url: try coder.field(&url, absent: "")
    case .origin: try coder.field(&origin)
    case .fallback: try coder.field(&fallback)
    case .secret: try coder.field(&secret)
    case .title: try coder.field(&title, absent: "")
    case .show:
      var slug = show?.description
      try coder.field(&slug)
      show = slug.flatMap { Slug(valid: $0) }
    case .want: try coder.field(&want, absent: .none)
    case .keepLast: try coder.field(&keepLast, .natural)
    case .match: try coder.field(&matching, omitting: [])
    case .skip: try coder.field(&skipping, omitting: [])
    case .quality: try coder.field(&quality)
    case .onChange: try coder.field(&onChange, absent: .keep)
    case .folder: try coder.field(&folder, .mediaFolder)
    case .interval: try coder.field(&interval, .duration)
    case .added: try coder.field(&added)
    case .begun: try coder.field(&initialImport)
    case .changed: try coder.field(&changed)
    case .failing: try coder.field(&failing)
    case .complete: try coder.field(&isComplete, omitting: false)
    case .paused: try coder.field(&isPaused, omitting: false)
    case .foreign: try coder.field(&isForeign, omitting: false)
    }
  }

  /// Decodes a record of kind `feed`.
  ///
  /// - Throws: `store-damaged` if a field has an invalid value.
  package init(id: String, record: JSONObject) throws(Failure) {
    self = Self.blank
    try decode(JSONValue.object(record), Self.fields, in: RecordContext(subject: id))
    self.id = id
  }
}
