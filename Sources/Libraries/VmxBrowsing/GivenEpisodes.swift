import VmxCommand
import VmxJobs
import VmxModel
import VmxPresentation
import VmxStore

/// The episodes that `vmx queue` was given: operands, filters, or rows of standard input.
struct QueueInput {
  /// One of them, or what was given for one.
  enum Item {
    case episode(EpisodeID, received: JSONObject)
    case bad(Failure, operand: String)
    case badLine(Failure, InputPlace)
    /// A row that failed at an earlier stage.
    case passing(JSONObject)
  }

  private let operands: [String]
  private let filters: FilterOptions
  private let context: CommandContext

  /// - Throws: `usage` where nothing selects an episode, or two things do.
  init(
    _ operands: [String], _ filters: FilterOptions, in context: CommandContext
  ) throws(Failure) {
    self.operands = operands
    self.filters = filters
    self.context = context
    guard operands.isEmpty || filters.isEmpty else {
      throw QueueRequest.usage("give ids or filters, not both")
    }
    let isTyped = !operands.isEmpty || !filters.isEmpty
    guard isTyped || RecordInput.isOffered(by: context.input, selectionTyped: false) else {
      throw Failure(
        .usage, "no episode was given", hint: "give ids or filters such as --show, or pipe in rows")
    }
  }

  /// Calls the body with what was given, in pieces as they can be had without waiting.
  ///
  /// - Throws: what the body throws; what reading the store or standard input throws.
  func forEachBatch(in store: LibraryStore, _ body: ([Item]) throws -> Void) throws {
    var batch: [Item] = []
    func take(_ item: Item, isWaiting: Bool) throws {
      batch.append(item)
      guard isWaiting || batch.count >= QueueDesk.largestBatch else { return }
      try body(batch)
      batch = []
    }
    if !operands.isEmpty {
      for operand in operands { try take(Self.item(operand), isWaiting: false) }
    } else if !filters.isEmpty {
      try store.snapshot().episodes(matching: query) { episode in
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

  /// What was removed on purpose is meant only where somebody says so.
  private var query: EpisodeQuery {
    var query = filters.query(now: context.clock.now)
    if query.wants.isEmpty { query.wants = [.fetch, .hold, .none] }
    return query
  }

  private static func item(_ operand: String) -> Item {
    guard let id = EpisodeID(valid: operand) else {
      return .bad(
        Failure(.noSuchEpisode, "no episode has the id '\(operand)'"), operand: operand)
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
