package import VmxModel

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
    case .title: FieldKey(.text, "The title", .end)
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
      FieldKey(.text, "The URL without user, password and secret values of its query", .end)
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

/// A feed, as a row of output.
package struct FeedRow: ResultRow {
  /// The numbers of items found in one reading of the feed.
  package struct Reading: Sendable, Equatable {
    /// The number of items with a file.
    package let items: Int
    /// The number of episodes added.
    package let added: Int
    /// The number of added episodes that are wanted.
    package let wanted: Int
    /// The number of items that the filters exclude.
    package let excluded: Int

    /// Creates the numbers of one reading.
    package init(items: Int, added: Int, wanted: Int, excluded: Int = 0) {
      self.items = items
      self.added = added
      self.wanted = wanted
      self.excluded = excluded
    }
  }

  package var id: String { feed.id }
  package var kind: RowKind? { .feed }
  private let feed: Subscription
  private let checked: Timestamp?
  private let reading: Reading?
  package let result: OperationResult?
  package let stage: String
  private let now: Timestamp

  /// Creates the row of a feed.
  ///
  /// - Parameters:
  ///   - checked: the time of the last check, if known.
  ///   - reading: the items found now; nil if the feed was not read.
  ///   - result: the result of the command for the feed; nil in a listing.
  ///   - stage: the command's name without `vmx-`.
  package init(
    _ feed: Subscription, checked: Timestamp? = nil, reading: Reading? = nil,
    result: OperationResult? = nil, stage: String, now: Timestamp
  ) {
    self.feed = feed
    self.checked = checked
    self.reading = reading
    self.result = result
    self.stage = stage
    self.now = now
  }

  package func value(_ field: FeedField) -> RowValue {
    switch field {
    case .id: .text(id).styled(.strong)
    case .title: .text(nonEmpty: feed.title)
    case .show: .text(feed.show?.description)
    case .want: .text(feed.want.text)
    case .outcome: outcome
    case .checked: lastCheck
    case .items: .number(reading?.items)
    case .added: .number(reading?.added)
    case .wanted: .number(reading?.wanted)
    case .excluded: .number(reading.flatMap { $0.excluded > 0 ? $0.excluded : nil })
    case .url: .text(nonEmpty: SecretQuery.masked(feed.url))
    case .keepLast: .number(feed.keepLast)
    case .match: .list(nonEmpty: feed.matching, separator: ", ")
    case .skip: .list(nonEmpty: feed.skipping, separator: ", ")
    case .quality: .text(nonEmpty: feed.quality)
    case .onChange: .word(feed.onChange == .keep ? nil : feed.onChange.rawValue)
    case .folder: .text(nonEmpty: feed.folder)
    case .interval: .number(feed.interval)
    case .complete: .flag(feed.isComplete)
    case .paused: .flag(omittingFalse: feed.isPaused)
    case .failingSince: .time(feed.failing?.since)
    case .code: .text(nonEmpty: feed.failing?.code)
    case .attempts: .number(feed.failing?.attempts)
    }
  }

  /// The time of the last check; a table shows why there is no newer one.
  private var lastCheck: RowValue {
    let value = RowValue.time(checked, relativeTo: now, absent: "never").styled(.dim)
    if feed.isPaused { return value.shown(Cell("updates off")) }
    guard let failing = feed.failing else { return value }
    return value.shown(
      Cell("\(failing.code) since \(TimeText.relative(failing.since, to: now))", .failure))
  }

  /// Formats one line: result, id, numbers of items, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    let found =
      reading.map { "\($0.items) items, \($0.added) new, \($0.wanted) wanted" } ?? ""
    return Self.line(cell(.outcome), width: 9, [id, found, feed.title], terminal)
  }
}
