package import VmxModel
package import VmxPresentation
import VmxStore

/// Prints episodes as JSON Lines: first the existing ones, then each one again when it changes.
///
/// For an episode that is removed from the library, a line with `"deleted":true` is printed if a
/// line of it was printed before. An episode that no longer matches has no line.
package struct EpisodeStream {
  private let filters: FilterOptions
  private let prefix: String
  private let reporter: RowReporter<EpisodeRow>
  private let context: CommandContext
  /// The hashes of the printed ids; the ids themselves would take five times the memory.
  private var printed: Set<Int> = []
  /// The given episodes; empty if filters select them.
  private var named: Set<EpisodeID> = []

  /// Creates a stream of episodes that match the filters and whose ids have a prefix.
  package init(
    _ filters: FilterOptions, prefix: String, to reporter: RowReporter<EpisodeRow>,
    in context: CommandContext
  ) {
    self.filters = filters
    self.prefix = prefix
    self.reporter = reporter
    self.context = context
  }

  /// Prints until the reader closes the pipe or the user interrupts the tool.
  ///
  /// - Throws: always, to end the tool. An unknown id ends it at once.
  package mutating func run(_ selection: InputSelection<EpisodeID>) throws {
    let follower = try StoreFollower(try context.openStore(checkingForLoss: true))
    let view = try LibraryView(follower.snapshot, in: context)
    if reporter.shows(.rank) { view.addRanks() }
    view.findsPositions = reporter.shows(.position)
    if reporter.shows(.imageFile) { view.findImages(in: context.imageCache) }
    named = try view.forEach(in: selection, filters, prefix: prefix, reporter: reporter) {
      try print($0, in: view)
      return true
    }
    try view.finish(reporter, in: context)
    let loop = try PollLoop(in: context)
    while true {
      try loop.pause()
      var changes: [StoreChange] = []
      try follower.forEachChange { if $0.kind == .episode { changes.append($0) } }
      let view = try LibraryView(follower.snapshot, in: context)
      if reporter.shows(.rank), !changes.isEmpty { view.addRanks() }
      view.findsPositions = reporter.shows(.position)
      if reporter.shows(.imageFile) { view.findImages(in: context.imageCache) }
      for change in changes { try print(change, in: view) }
    }
  }

  private mutating func print(_ change: StoreChange, in view: LibraryView) throws {
    guard let id = EpisodeID(valid: change.id) else { return }
    switch change.content {
    case .episode(let episode):
      var query = try filters.query(try context.dueRule())
      query.ids = named
      query.prefix = prefix
      guard context.parental.allows(episode) else { return }
      if query.matches(episode) { try print(episode, in: view) }
    case .removed:
      guard printed.remove(id.hashValue) != nil else { return }
      var object = EpisodeJSON.head(change.id)
      object.append("deleted", true)
      try context.write(object)
    case .record: return
    }
  }

  private mutating func print(_ episode: Episode, in view: LibraryView) throws(OutputError) {
    printed.insert(episode.id.hashValue)
    try reporter.print(view.row(of: episode), flushing: false)
  }
}

/// Sorts rows without storing them: it stores only the id and the key of each, packed together.
///
/// Rows without a key come last in both directions. The sort is stable.
package struct SortBuffer {
  private var numbers: [Int64] = []
  private var texts = PackedTexts()
  private var ids = PackedTexts()
  private let isNumeric: Bool
  private let isDescending: Bool

  /// Creates an empty buffer.
  package init(isNumeric: Bool, isDescending: Bool) {
    self.isNumeric = isNumeric
    self.isDescending = isDescending
  }

  /// Adds a row; an empty key means no key.
  package mutating func add(id: String, key: String) {
    ids.append(id)
    if isNumeric {
      numbers.append(Int64(key) ?? .min)
    } else {
      texts.append(key.lowercased())
    }
  }

  /// Calls the closure with the ids in order.
  package func forEach(_ body: (String) throws -> Void) rethrows {
    for index in order() { try body(ids[Int(index)]) }
  }

  private func order() -> [UInt32] {
    var order = (0..<UInt32(ids.count)).map { $0 }
    order.sort { left, right in
      switch compare(Int(left), Int(right)) {
      case 0: left < right
      case let difference: difference < 0
      }
    }
    return order
  }

  private func compare(_ left: Int, _ right: Int) -> Int {
    let isLeftEmpty = isNumeric ? numbers[left] == .min : texts.isEmpty(left)
    let isRightEmpty = isNumeric ? numbers[right] == .min : texts.isEmpty(right)
    if isLeftEmpty || isRightEmpty {
      return isLeftEmpty == isRightEmpty ? 0 : (isLeftEmpty ? 1 : -1)
    }
    let difference: Int
    if isNumeric {
      let (a, b) = (numbers[left], numbers[right])
      difference = a == b ? 0 : (a < b ? -1 : 1)
    } else {
      difference = texts.compare(left, right)
    }
    return isDescending ? -difference : difference
  }
}

/// The order given by `--sort`: a field, with a leading `-` for descending order.
package struct SortOrder {
  private let field: EpisodeField
  private var buffer: SortBuffer

  /// Parses the value of `--sort`.
  ///
  /// - Throws: `usage` for an unknown field.
  package init(_ text: String) throws(Failure) {
    let isDescending = text.hasPrefix("-")
    field = try EpisodeField.field(named: isDescending ? String(text.dropFirst()) : text)
    buffer = SortBuffer(isNumeric: Self.numeric.contains(field), isDescending: isDescending)
  }

  /// Whether it sorts by the ranks of the queue.
  package var isByRank: Bool { field == .rank }

  /// Adds a row; only its id and its key are kept.
  package mutating func add(_ row: EpisodeRow) {
    buffer.add(id: row.exact(.id), key: row.exact(field))
  }

  /// Calls the closure with the ids in order.
  package func forEach(_ body: (String) throws -> Void) rethrows {
    try buffer.forEach(body)
  }

  private static let numeric: Set<EpisodeField> = [
    .rev, .season, .number, .priority, .size, .completedBytes, .rank,
  ]
}
