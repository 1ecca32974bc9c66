import VmxModel
import VmxPresentation

/// A feed, as a row of output.
struct FeedRow: ResultRow {
  /// The numbers of items found in one reading of the feed.
  struct Reading: Sendable, Equatable {
    /// The number of items with a file.
    let items: Int
    /// The number of episodes added.
    let added: Int
    /// The number of added episodes that are wanted.
    let wanted: Int
    /// The number of items that the filters exclude.
    let excluded: Int

    /// Creates the numbers of one reading.
    init(items: Int, added: Int, wanted: Int, excluded: Int = 0) {
      self.items = items
      self.added = added
      self.wanted = wanted
      self.excluded = excluded
    }
  }

  var id: String { feed.id }
  var kind: RowKind? { .feed }
  private let feed: Subscription
  private let checked: Timestamp?
  private let reading: Reading?
  let result: OperationResult?
  let stage: String
  private let now: Timestamp

  /// Creates the row of a feed.
  ///
  /// - Parameters:
  ///   - checked: the time of the last check, if known.
  ///   - reading: the items found now; nil if the feed was not read.
  ///   - result: the result of the command for the feed; nil in a listing.
  ///   - stage: the command's name without `vmx-`.
  init(
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

  func value(_ field: FeedField) -> RowValue {
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
  func line(_ terminal: TerminalFacts) -> String? {
    guard result != nil else { return nil }
    let found =
      reading.map { "\($0.items) items, \($0.added) new, \($0.wanted) wanted" } ?? ""
    return Self.line(cell(.outcome), width: 9, texts: [id, found, feed.title], on: terminal)
  }
}
