package import VmxCommand
package import VmxModel
package import VmxPresentation
package import VmxStore

/// The episodes that a tool which changes them was given: operands, filters, or rows of standard
/// input. It does nothing without any.
package struct GivenEpisodes {
  /// One of them, or what was given for one.
  package enum Item: Sendable {
    /// An episode, with the row it came in.
    case episode(EpisodeID, received: JSONObject)
    /// An operand that names none.
    case bad(Failure, operand: String)
    /// A line of the input that is no row.
    case badLine(Failure, InputPlace)
    /// A row that failed at an earlier stage.
    case passing(JSONObject)

    /// Whether it is a line of the input that is no row.
    package var isBadLine: Bool {
      if case .badLine = self { true } else { false }
    }
  }

  private let operands: [String]
  private let filters: FilterOptions
  private let context: CommandContext

  /// What was typed.
  ///
  /// - Throws: `usage` where nothing selects an episode, or two things do.
  package init(
    _ operands: [String], _ filters: FilterOptions, in context: CommandContext
  ) throws(Failure) {
    self.operands = operands
    self.filters = filters
    self.context = context
    guard operands.isEmpty || filters.isEmpty else {
      throw Failure(.usage, "give ids or filters, not both")
    }
    let isTyped = !operands.isEmpty || !filters.isEmpty
    guard isTyped || RecordInput.isOffered(by: context.input, selectionTyped: false) else {
      throw Failure(
        .usage, "no episode was given", hint: "give ids or filters such as --show, or pipe in rows")
    }
  }

  /// Calls the body with what was given, in pieces as they can be had without waiting.
  ///
  /// - Parameter largest: items in a piece at most.
  /// - Throws: what the body throws; what reading the store or standard input throws.
  package func forEachBatch(
    in store: LibraryStore, largest: Int, _ body: ([Item]) throws -> Void
  ) throws {
    var batch: [Item] = []
    func take(_ item: Item, isWaiting: Bool) throws {
      batch.append(item)
      guard isWaiting || batch.count >= largest else { return }
      try body(batch)
      batch = []
    }
    if !operands.isEmpty {
      for operand in operands { try take(Self.item(operand), isWaiting: false) }
    } else if !filters.isEmpty {
      try store.snapshot().episodes(matching: try query()) { episode in
        try take(.episode(episode.id, received: JSONObject()), isWaiting: false)
        return true
      }
    } else {
      var rows = EpisodeInput(RecordInput(context.input))
      var isEmpty = true
      while let row = try rows.next() {
        isEmpty = false
        try take(Self.item(row), isWaiting: !rows.hasWholeLine)
      }
      if isEmpty { context.messages.note("standard input had no rows; nothing to do") }
    }
    if !batch.isEmpty { try body(batch) }
  }

  /// All that was given, once the last row was read.
  ///
  /// - Throws: what reading the store or standard input throws.
  package func all(in store: LibraryStore) throws -> [Item] {
    var items: [Item] = []
    try forEachBatch(in: store, largest: .max) { items += $0 }
    return items
  }

  /// What was removed on purpose is meant only where somebody says so.
  private func query() throws(Failure) -> EpisodeQuery {
    var query = filters.query(try context.dueRule())
    if query.wants.isEmpty { query.wants = Want.present }
    return query
  }

  private static func item(_ operand: String) -> Item {
    guard let id = EpisodeID(valid: operand) else {
      return .bad(
        Failure.noSuchEpisode(operand), operand: operand)
    }
    return .episode(id, received: JSONObject())
  }

  private static func item(_ row: EpisodeInput.Row) -> Item {
    switch row {
    case .wish(let wish): .episode(wish.id, received: wish.received)
    case .passing(let object): .passing(object)
    case .bad(let failure, let place): .badLine(failure, place)
    }
  }
}
