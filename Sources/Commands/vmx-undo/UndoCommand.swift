import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// Undoes the last operations of rm, clean and similar tools.
@main
struct UndoCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "undo", usage: "vmx undo [<options>] [<count>|<step>]...",
    discussion: """
      Without operands, undoes all of the last run that can be undone; a number undoes that many \
      runs, the name of a step in --list only that step, an id the last step of that episode. \
      Rows of rm, clean and import undo exactly what they report. Steps whose results have changed since \
      are refused. Rows are read from standard input if it is a pipe or a file.

      vmx undo
      vmx undo 2
      vmx rm --json --watched | vmx undo
      vmx undo --list
      vmx undo --list --json | jq -c 'select(.tool == "clean")' | vmx undo
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Flag(help: "List the runs that can be undone, or the rows of given runs.")
  var list = false

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(help: ArgumentHelp("Number of runs, or names of steps.", valueName: "step"))
  var steps: [String] = []

  func validate() throws {
    if list, isDryRun { throw ValidationError("--list and --dry-run exclude each other") }
  }

  func perform(in context: CommandContext) throws {
    let store = try context.openStore(lock)
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage)
    let undo = UndoService(
      EpisodeRemover(tools, claimTimeout: try lock.milliseconds(in: context)))
    let runs = try undo.runs()
    if list { return try printList(runs, in: context) }
    let reporter = RowReporter<OutcomeRow>(
      try form.form(output), in: context, tally: Tally(waitingFails: true))
    let selected = try selectedEntries(of: runs, reporter, store, in: context)
    let rows = EpisodeRows(of: store, in: context)
    var undone: [JournalEntry] = []
    try undo.undo(selected.map(\.entry)) { index, result, episode in
      let (entry, received) = selected[index]
      let name = entry.episode?.description ?? entry.show?.before.slug ?? entry.id
      if case .failed(let failure) = result {
        try reporter.reportFailure(failure, of: name, received: received)
      } else {
        // One that waits is undone by the same command.
        if result.failure == nil { undone.append(entry) }
        try reporter.report(
          result, of: name, episode: try episode.map(rows.row), received: received)
      }
    }
    if !isDryRun {
      try undo.removeLeftovers()
      try undo.removeUnusedRoots(of: undone)
      undo.writeDeclarations(of: undone)
    }
    try reporter.finish()
  }

  /// Returns the journal entries to undo: those of the last operations, or those given by operands
  /// or rows. If a row is invalid, nothing is undone. Invalid rows and unknown names are reported.
  private func selectedEntries(
    of runs: [UndoRun], _ reporter: RowReporter<OutcomeRow>, _ store: LibraryStore,
    in context: CommandContext
  ) throws -> [(entry: JournalEntry, received: JSONObject)] {
    let selection = InputSelection<String>(steps, accepting: [.run, .step], in: context) {
      row throws(Failure) in
      guard let name = row.text else { throw Failure(.badLine, "the row has no field 'id'") }
      return name
    }
    let number = steps.count == 1 ? Int(steps[0]) : nil
    if selection.source == .filters || number != nil {
      guard number ?? 1 > 0 else {
        throw Failure(.usage, "'\(steps[0])' is not a number of runs", hint: "give 1 or more")
      }
      return runs.entries(ofLast: number ?? 1).map { ($0, JSONObject()) }
    }
    var selected: [(entry: JournalEntry, received: JSONObject)] = []
    for entry in try selection.allOrInvalid() {
      guard case .item(let name, let row) = entry else {
        try reporter.reportUnusable(entry)
        continue
      }
      var entries = runs.entries(named: name)
      if entries.isEmpty { entries = try self.entries(of: name, row.received, runs, in: store) }
      if entries.isEmpty {
        try reporter.reportFailure(unknown(name), of: name, received: row.received)
      }
      selected += entries.map { ($0, row.received) }
    }
    return selected
  }

  /// Returns the last journal entry of an episode that can be undone, of the tool that printed the
  /// row.
  private func entries(
    of name: String, _ row: JSONObject, _ runs: [UndoRun], in store: LibraryStore
  ) throws -> [JournalEntry] {
    guard let named = EpisodeID(valid: name) else { return [] }
    let ids = Set([named, try store.snapshot().resolve(named) ?? named])
    let stage = row["stage"]?.string
    return runs.lazy.filter { stage == nil || $0.run.tool == stage }.flatMap {
      $0.entries.reversed()
    }
    .first { $0.canBeUndone && $0.episode.map(ids.contains) ?? false }.map { [$0] } ?? []
  }

  /// Prints the operations, latest first; for given operations, their journal entries.
  private func printList(_ runs: [UndoRun], in context: CommandContext) throws {
    for name in steps where !runs.contains(where: { $0.run.id == name }) { throw unknown(name) }
    let reporter = RowReporter<UndoRow>(try form.form(output), in: context)
    for run in runs where steps.isEmpty || steps.contains(run.run.id) {
      let rows = run.entries.map { UndoRow($0, now: context.clock.now) }
      for row in steps.isEmpty ? [UndoRow(run, now: context.clock.now)] : rows {
        try reporter.print(row, flushing: false)
      }
    }
    try reporter.finish(notes: [])
  }

  private func unknown(_ name: String) -> Failure {
    Failure(
      .undoImpossible, "no such step: '\(name)'",
      hint: "run 'vmx undo --list' for the list of steps")
  }
}

extension UndoRow {
  /// Creates the row of an operation.
  init(_ run: UndoRun, now: Timestamp) {
    self.init(
      id: run.run.id, tool: run.run.tool, at: run.run.at,
      state: run.isOpen ? "open" : run.entries.last?.stateName ?? "", now: now)
    let reasons = Set(run.entries.map(\.reason))
    text = reasons.count == 1 ? reasons.first ?? "" : ""
    count = run.entries.count
    bytes = run.bytes
  }

  /// Creates the row of a journal entry.
  init(_ entry: JournalEntry, now: Timestamp) {
    self.init(
      id: entry.id, tool: entry.run.tool, at: entry.run.at, state: entry.stateName, now: now)
    bytes = entry.canBeUndone ? entry.bytes : 0
    text = entry.reason
  }
}
