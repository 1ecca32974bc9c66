package import VmxModel
package import VmxPresentation
package import VmxStore

/// The input items of a tool: operands, rows on standard input, or those that filters select.
///
/// Rows are read on demand, so a tool in a pipe begins with the first one.
///
/// ```swift
/// let selection = try InputSelection(required: ids, filters, from: store, in: context)
/// try selection.forEach { entry in
///   if case .item(let id, _) = entry { try pause(id) }
///   return true
/// }
/// ```
package struct InputSelection<Item: Sendable>: Sendable {
  /// The origin of the items.
  package enum Source: Sendable {
    /// Operands of the command line.
    case operands
    /// Rows of standard input.
    case rows
    /// Filters or another option; all items if none was typed.
    case filters
  }

  /// One operand or row.
  package enum Entry: Sendable {
    /// An item, with the received row.
    case item(Item, InputRow)
    /// An operand or a line that is not an item.
    case invalid(Failure, InputRow)
    /// A row that failed at an earlier stage, or a warning of it; passed on unchanged.
    case passThrough(JSONObject)

    /// Whether the entry is an invalid line of standard input.
    package var isInvalid: Bool {
      if case .invalid(let failure, let row) = self {
        row.position != nil && failure.code != .parental
      } else {
        false
      }
    }
  }

  /// The origin of the items.
  package let source: Source
  private let operands: [String]
  private let context: CommandContext
  private let acceptsFailures: Bool
  private let acceptsProofs: Bool
  private let readsValues: Bool
  private let kinds: Set<RowKind>
  private var document: RowDocument?
  private let parse: @Sendable (InputRow) throws(Failure) -> Item
  private typealias Items = [(Item, text: String)]
  /// Returns the items of the first of the remaining operands; nil if it is one item.
  private var expand: @Sendable (ArraySlice<String>) throws -> Items? = { _ in nil }
  /// Returns the episodes for which a row of a show of the library stands, nil for a row of another
  /// kind; nil itself if no row does.
  private var expandRow: (@Sendable (JSONObject) throws -> Items?)?
  /// Whether the filters select the item of a row.
  private var accepts: @Sendable (Item) throws -> Bool = { _ in true }
  /// Calls the closure with the items that the filters select.
  private var select: @Sendable ((Item) throws -> Bool) throws -> Void = { _ in }

  /// Creates a selection. Rows are read if the only operand is `-`. Without operands and with
  /// `isTyped` false they are also read from a pipe, a socket or a file, unless `options` has
  /// `onRequest`: then the user is notified once of unread data there.
  ///
  /// - Parameters:
  ///   - isTyped: whether filters or other options select the items.
  ///   - options: the treatment of rows of earlier stages.
  ///   - kinds: the kinds of rows that are items; rows of other kinds are passed on.
  ///   - parse: returns the item of an operand or a row.
  package init(
    _ operands: [String], isTyped: Bool = false, _ options: InputOptions = [],
    accepting kinds: Set<RowKind> = [], in context: CommandContext,
    parse: @escaping @Sendable (InputRow) throws(Failure) -> Item
  ) {
    let isPiped = operands == ["-"]
    let isOpen = operands.isEmpty && !isTyped
    let isOnRequest = options.contains(.onRequest)
    self.operands = isPiped ? [] : operands
    if isPiped || (isOpen && !isOnRequest && context.input.isData) {
      source = .rows
    } else {
      source = operands.isEmpty ? .filters : .operands
    }
    if isOpen, isOnRequest { context.unreadInput.watch() }
    self.context = context
    self.kinds = kinds
    acceptsFailures = options.contains(.failures)
    acceptsProofs = options.contains(.proofs)
    readsValues = options.contains(.values)
    self.parse = parse
  }

  /// Returns a selection that reads standard input as a document if it begins with `<`.
  package func reading(_ document: RowDocument?) -> InputSelection {
    var selection = self
    selection.document = document
    return selection
  }

  /// Returns a selection in which an operand may stand for several items, as the name of a show
  /// does.
  ///
  /// - Parameter expand: is called with an operand and those after it. Returns the items of the
  ///   first with the text of each; nil if it is one item. A `Failure` that it throws is that of
  ///   the operand, and one with the code `usage` ends the tool.
  package func expanding(
    _ expand: @escaping @Sendable (ArraySlice<String>) throws -> [(Item, text: String)]?
  ) -> InputSelection {
    var selection = self
    selection.expand = expand
    return selection
  }

  /// Returns a selection in which a row of a show, if that kind is accepted, stands for episodes.
  package func expandingRows(
    ofShows shows: ShowOperand, _ item: @escaping @Sendable (EpisodeID) -> Item
  ) -> InputSelection {
    var selection = self
    selection.expandRow = { [context] row in
      try context.episodes(ofRow: row, shows)?.map { (item($0), text: $1) }
    }
    return selection
  }

  /// Calls the closure with each operand, row or selected item until it returns false.
  ///
  /// - Throws: the errors of the closure; `input-missing` if standard input cannot be read.
  package func forEach(_ body: (Entry) throws -> Bool) throws {
    try forEach(onArrival: {}, body)
  }

  /// Calls the closure with each operand, row or selected item until it returns false.
  ///
  /// - Parameter onArrival: called before the first row of each read, so that the caller can read
  ///   the current store.
  /// - Throws: the errors of the closures; `input-missing` if standard input cannot be read.
  package func forEach(
    onArrival: () throws -> Void, _ body: (Entry) throws -> Bool
  ) throws {
    try forEach(onArrival: onArrival) { entry, _ in try body(entry) }
  }

  /// Calls the closure with batches of entries. A batch ends where reading the next row would
  /// block.
  ///
  /// - Parameters:
  ///   - largest: the maximum number of entries in a batch.
  ///   - body: returns whether to continue.
  /// - Throws: as `forEach`.
  package func forEachBatch(largest: Int, _ body: ([Entry]) throws -> Bool) throws {
    var batch: [Entry] = []
    var shouldContinue = true
    try forEach(onArrival: {}) { entry, wouldBlock in
      batch.append(entry)
      guard wouldBlock || batch.count >= largest else { return true }
      shouldContinue = try body(batch)
      batch = []
      return shouldContinue
    }
    if shouldContinue, !batch.isEmpty { _ = try body(batch) }
  }

  /// Returns all entries, after the last row was read.
  ///
  /// - Throws: as `forEach`.
  package func all() throws -> [Entry] {
    var entries: [Entry] = []
    try forEach { entry in
      entries.append(entry)
      return true
    }
    return entries
  }

  /// Returns all entries, after the last row was read; only the bad lines if there are any, for
  /// tools that do all or nothing.
  ///
  /// - Throws: as `forEach`.
  package func allOrInvalid() throws -> [Entry] {
    let entries = try all()
    let badLines = entries.filter(\.isInvalid)
    return badLines.isEmpty ? entries : badLines
  }

  private func forEach(
    onArrival: () throws -> Void, _ body: (Entry, _ wouldBlock: Bool) throws -> Bool
  ) throws {
    switch source {
    case .operands:
      for index in operands.indices {
        for entry in try entries(of: operands[index...]) {
          guard try body(entry, false) else { return }
        }
      }
    case .filters:
      try select { item in
        try body(.item(item, InputRow(text: nil, object: nil, position: nil)), false)
      }
    case .rows: try forEachRow(onArrival, body)
    }
  }

  private func forEachRow(
    _ onArrival: () throws -> Void, _ body: (Entry, _ wouldBlock: Bool) throws -> Bool
  ) throws {
    context.noteAwaitedInput()
    var reader = RowReader(context.input, readsValues: readsValues, document: document)
    var isEmpty = true
    var wouldBlock = true
    var proofs: Set<String?> = []
    var passed: Set<String> = []
    while let line = try reader.next() {
      if wouldBlock { try onArrival() }
      isEmpty = false
      wouldBlock = !reader.hasCompleteLine
      let next: [Entry]
      switch line {
      case .invalid(let failure, let position):
        next = [.invalid(failure, InputRow(text: nil, object: nil, position: position))]
      case .row(let row):
        let proof = acceptsProofs ? row.object?.verificationVerdict : nil
        if let object = row.object, isPassThrough(object, proof) {
          next = [.passThrough(object)]
          if let kind = object["row"]?.string, kind != RowKind.warning.rawValue,
            passed.insert(kind).inserted
          {
            context.messages.note(RowKind.note(aboutPassed: kind))
          }
        } else {
          // `vmx verify` prints a row for each part, but each episode is returned once.
          if proof != nil, !proofs.insert(row.text).inserted { continue }
          next = try entries(of: row)
        }
      }
      for (index, entry) in next.enumerated() {
        if case .item(let item, _) = entry, try !accepts(item) { continue }
        guard try body(entry, wouldBlock && index == next.count - 1) else { return }
      }
    }
    if isEmpty { context.messages.note("no rows on standard input; nothing to do") }
  }

  private func isPassThrough(_ object: JSONObject, _ proof: String?) -> Bool {
    // Rows that are not about episodes have a field `row`.
    if let kind = object["row"] {
      guard let kind = kind.string.flatMap(RowKind.init), kinds.contains(kind) else { return true }
      // A show of the catalogue stands for no episode of the library.
      if kind == .show, expandRow != nil { return !ShowRequest.isOfLibrary(object) }
    }
    if let proof { return proof != "damaged" && proof != "missing" }
    return !acceptsFailures && object["outcome"]?.string == "failed"
  }

  private func entries(of operands: ArraySlice<String>) throws -> [Entry] {
    let row = InputRow(text: operands.first, object: nil, position: nil)
    do {
      guard let items = try expand(operands) else { return [entry(row)] }
      return items.map { .item($0, InputRow(text: $1, object: nil, position: nil)) }
    } catch let failure as Failure where failure.code != .usage {
      return [.invalid(failure, row)]
    }
  }

  private func entries(of row: InputRow) throws -> [Entry] {
    do {
      guard let object = row.object, let items = try expandRow?(object) else { return [entry(row)] }
      return items.map {
        .item($0, InputRow(text: $1, object: nil, position: row.position))
      }
    } catch let failure as Failure {
      return [.invalid(failure, row)]
    }
  }

  private func entry(_ row: InputRow) -> Entry {
    do throws(Failure) {
      return .item(try parse(row), row)
    } catch {
      return .invalid(error, row)
    }
  }
}

/// The treatment of operands and rows by an `InputSelection`.
package struct InputOptions: OptionSet, Sendable {
  /// The options as bits.
  package let rawValue: Int

  /// Creates options from bits.
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Rows that failed at an earlier stage are items, such as those of a plan.
  package static let failures = InputOptions(rawValue: 1)
  /// Objects may follow each other in one line and extend over several lines.
  package static let values = InputOptions(rawValue: 8)
  /// Rows of `vmx verify` with the answer `damaged` or `missing` are items; those with another
  /// answer are passed on.
  package static let proofs = InputOptions(rawValue: 2)
  /// Rows are read only for the operand `-`: the default of the tool is the whole library.
  package static let onRequest = InputOptions(rawValue: 4)
}

extension InputSelection where Item == EpisodeID {
  /// Creates a selection of episodes by ids, filters or rows.
  ///
  /// - Parameters:
  ///   - isTyped: whether another option selects episodes too.
  ///   - shows: the episodes for which the name of a show stands.
  package init(
    _ ids: [String], filters: FilterOptions, isTyped: Bool = false,
    options: InputOptions = [], ofShows shows: ShowOperand = .present, in context: CommandContext
  ) {
    self.init(
      ids, isTyped: isTyped || !filters.isEmpty, options, accepting: [.show], in: context
    ) { row throws(Failure) in
      try context.parental.checked(try row.episodeID())
    }
    expand(shows)
  }

  /// Lets an operand or a row that names a show stand for its episodes.
  private mutating func expand(_ shows: ShowOperand) {
    let context = context
    expand = { try context.episodes(ofShow: $0, shows) }
    self = expandingRows(ofShows: shows) { $0 }
  }

  /// Creates the selection of a tool that accepts ids or rows and has no filters.
  ///
  /// - Parameter shows: the episodes for which the name of a show stands.
  /// - Throws: `usage` if nothing selects an episode.
  package init(
    required ids: [String], ofShows shows: ShowOperand = .present, in context: CommandContext
  ) throws(Failure) {
    self.init(ids, accepting: [.show], in: context) { row throws(Failure) in
      try context.parental.checked(try row.episodeID())
    }
    expand(shows)
    guard source != .filters else {
      throw Failure(.usage, "no episode given", hint: "give ids, or pipe in rows")
    }
  }

  /// Creates the selection of a tool that changes episodes: it never selects all of them unless
  /// requested. Its items include those that the filters select in the store; with the operand `-`
  /// filters select among the rows.
  ///
  /// - Throws: `usage` if nothing selects an episode, or ids and filters are combined;
  ///   `no-such-episode` for a show without episodes; `bad-setting`; the errors of the store.
  package init(
    required ids: [String], _ filters: FilterOptions, from store: LibraryStore,
    ofShows shows: ShowOperand = .present, in context: CommandContext
  ) throws {
    self.init(ids, filters: filters, ofShows: shows, in: context)
    guard ids.isEmpty || filters.isEmpty || ids == ["-"] else {
      try filters.checkQuotes(ids, in: store.snapshot(), context)
      let hint = try context.hint(forOperandsBesideFilters: ids)
      throw Failure(.usage, "ids and filters exclude each other", hint: hint)
    }
    guard source != .filters || !filters.isEmpty else {
      throw Failure(
        .usage, "no episode given", hint: "give ids or filters such as --show, or pipe in rows")
    }
    try filters.requireShows(in: store.snapshot(), context)
    var query = try filters.query(try context.dueRule())
    if source == .filters { context.unreadInput.watch() }
    if ids == ["-"], !filters.isEmpty {
      accepts = { [query] id in
        try store.snapshot().episode(id).map { query.matches($0) } ?? true
      }
    }
    if query.wants.isEmpty { query.wants = Want.present }
    select = { [query] body in
      try store.snapshot().episodes(matching: query) { episode in
        guard context.parental.allows(episode) else { return true }
        return try body(episode.id)
      }
    }
  }
}

extension JSONObject {
  /// The answer of `vmx verify` for the part of the row; nil for a row of another tool.
  fileprivate var verificationVerdict: String? {
    self["stage"]?.string == "verify" ? self["answer"]?.string : nil
  }
}

extension Array {
  /// Returns the elements in batches of at most this size.
  package func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0...].prefix(size)) }
  }
}
