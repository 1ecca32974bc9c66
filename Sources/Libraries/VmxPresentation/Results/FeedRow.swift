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
  /// The fields of the result of an operation on a feed.
  package static let outcomes: [FeedField] = [.outcome, .id, .items, .added, .wanted, .title]

  package var column: Column {
    switch self {
    case .title, .url: Column(heading, .left, .end)
    case .items, .added, .wanted, .excluded, .keepLast, .interval, .attempts:
      Column(heading, .right)
    default: Column(heading)
    }
  }
}

/// A feed, as a row of output.
package struct FeedRow: ListingRow {
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
  private let feed: Subscription
  private let checked: Timestamp?
  private let reading: Reading?
  private let result: OperationResult?
  private let stage: String
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

  package func cell(_ field: FeedField) -> Cell {
    switch field {
    case .id: Cell(id, .strong)
    case .outcome: Cell(exact(field), result?.style ?? .plain)
    case .checked where feed.isPaused: Cell("updates off", .dim)
    case .checked where feed.failing != nil:
      Cell(
        feed.failing.map { "\($0.code) since \(TimeText.relative($0.since, to: now))" } ?? "",
        .failure)
    case .checked: Cell(checked.map { TimeText.relative($0, to: now) } ?? "never", .dim)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: FeedField) -> String {
    switch field {
    case .id: id
    case .title: feed.title
    case .show: feed.show?.description ?? ""
    case .want: feed.want.text
    case .outcome: result?.name ?? ""
    case .checked: checked?.text ?? ""
    case .items: reading.map { "\($0.items)" } ?? ""
    case .added: reading.map { "\($0.added)" } ?? ""
    case .wanted: reading.map { "\($0.wanted)" } ?? ""
    case .excluded: reading.flatMap { $0.excluded > 0 ? "\($0.excluded)" : nil } ?? ""
    case .url: SecretQuery.masked(feed.url)
    case .keepLast: feed.keepLast.map { "\($0)" } ?? ""
    case .match: feed.matching.joined(separator: ", ")
    case .skip: feed.skipping.joined(separator: ", ")
    case .quality: feed.quality ?? ""
    case .onChange: feed.onChange == .keep ? "" : feed.onChange.rawValue
    case .folder: feed.folder ?? ""
    case .interval: feed.interval.map { "\($0)" } ?? ""
    case .complete: feed.isComplete ? "true" : "false"
    case .paused: feed.isPaused ? "true" : "false"
    case .failingSince: feed.failing?.since.text ?? ""
    case .code: feed.failing?.code ?? ""
    case .attempts: feed.failing.map { "\($0.attempts)" } ?? ""
    }
  }

  package func json(_ field: FeedField) -> JSONValue? {
    switch field {
    case .items: (reading?.items).map { .integer(Int64($0)) }
    case .added: (reading?.added).map { .integer(Int64($0)) }
    case .wanted: (reading?.wanted).map { .integer(Int64($0)) }
    case .excluded: (reading?.excluded).flatMap { $0 > 0 ? .integer(Int64($0)) : nil }
    case .attempts: (feed.failing?.attempts).map { .integer($0) }
    case .interval: feed.interval.map { .integer($0) }
    case .keepLast: feed.keepLast.map { .integer($0) }
    case .complete: .bool(feed.isComplete)
    case .paused: feed.isPaused ? true : nil
    case .match: Self.list(feed.matching)
    case .skip: Self.list(feed.skipping)
    default: exact(field).isEmpty ? nil : .string(exact(field))
    }
  }

  private static func list(_ words: [String]) -> JSONValue? {
    words.isEmpty ? nil : .array(words.map { .string($0) })
  }

  package func record(_ fields: [FeedField]?) -> JSONObject {
    var object = EpisodeJSON.head(id, .feed)
    for field in Self.recorded where field != .id && field != .outcome {
      object.append(field.rawValue, json(field))
    }
    result?.append(to: &object, stage: stage)
    return object.selecting(fields)
  }

  /// Formats one line: result, id, numbers of items, title.
  package func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    let found =
      reading.map { "\($0.items) items, \($0.added) new, \($0.wanted) wanted" } ?? ""
    return Self.line(cell(.outcome), width: 9, [id, found, feed.title], terminal)
  }
}
