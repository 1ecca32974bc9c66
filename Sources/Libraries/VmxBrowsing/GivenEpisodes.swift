package import VmxCommand
package import VmxModel
package import VmxPresentation
package import VmxStore

/// The episodes that a writing tool was given: operands, filters, or rows of standard input.
/// Without any of these the tool does nothing.
package struct GivenEpisodes {
  /// One item of the selection.
  package enum Item: Sendable {
    /// An episode, with the input row that named it.
    case episode(EpisodeID, received: JSONObject)
    /// An operand that names no episode.
    case bad(Failure, operand: String)
    /// An invalid line of the input.
    case badLine(Failure, InputPlace)
    /// A row that failed at an earlier stage.
    case passing(JSONObject)

    /// Whether the item is an invalid line of the input.
    package var isBadLine: Bool {
      if case .badLine = self { true } else { false }
    }
  }

  private let operands: [String]
  private let filters: FilterOptions
  private let context: CommandContext

  /// Creates the selection from the command line.
  ///
  /// - Throws: `usage` if nothing selects an episode, or two kinds of selection are combined.
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

  /// Calls the closure with batches of items. A batch ends where reading the next item would block.
  ///
  /// - Parameter largest: the maximal number of items in a batch.
  /// - Throws: the errors of the closure, of the store and of standard input.
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

  /// Returns all items, after the last row was read.
  ///
  /// - Throws: the errors of the store and of standard input.
  package func all(in store: LibraryStore) throws -> [Item] {
    var items: [Item] = []
    try forEachBatch(in: store, largest: .max) { items += $0 }
    return items
  }

  /// Returns the query of the filters. Removed episodes match only if the user asks for them.
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
