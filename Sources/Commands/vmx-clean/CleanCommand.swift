import ArgumentParser
import SystemPackage
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// Reconciles the store with the disks, and frees space by rules.
@main
struct CleanCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "clean", usage: "vmx clean [<options>] [-]",
    discussion: """
      vmx clean --watched --older-than 14d   # without options, only safe steps
      vmx clean --free 5G --plan | jq -c 'select(.bytes > 1e6)' | vmx clean --apply
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup(title: "Advanced options") var atLogin: LoginOptions

  @Flag(help: "Print the plan as JSON Lines; change nothing.")
  var plan = false

  @Flag(help: "Execute the plan on standard input.")
  var apply = false

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(help: ArgumentHelp("'-': the rules choose among rows of stdin.", valueName: "-"))
  var rows: [String] = []

  var printsUnderQuiet: Bool { form.isSpecified || plan }

  func validate() throws {
    if let word = rows.first(where: { $0 != "-" }) {
      throw ValidationError("unexpected operand '\(word)'; use filters such as --show")
    }
    if plan, apply { throw ValidationError("--plan and --apply exclude each other") }
    if atLogin.login || atLogin.isInstallation, plan || apply || !filters.isEmpty || !rules.isEmpty
    {
      throw ValidationError(
        "--login, --install-login and --uninstall exclude plans, rules and filters")
    }
    if atLogin.login, isDryRun {
      throw ValidationError("--login takes no --dry-run; 'vmx clean --dry-run' prints the steps")
    }
    if apply, !filters.isEmpty || !rules.isEmpty {
      throw ValidationError("--apply reads its steps from standard input, and excludes rules")
    }
  }

  /// At login, invalid settings are not an error.
  static let worksWithoutSettings = true

  func perform(in context: CommandContext) throws {
    if atLogin.login { return atLogin.perform(in: context) }
    if let failure = context.settingsFailure { throw failure }
    context.warnOfSettings()
    if atLogin.isInstallation { return try atLogin.install(in: context) }
    try clean(in: context)
  }

  private func clean(in context: CommandContext) throws {
    var options = try rules.cleaningOptions(filters, appliesPlan: apply, in: context)
    let form: OutputForm<CleaningField> = plan ? .json(nil) : try form.form(output)
    let reporter = RowReporter<CleaningRow>(form, in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    try filters.requireShows(in: store.snapshot(), context)
    var input: [EpisodeID: InputRow] = [:]
    if !apply {
      let selection = InputSelection<EpisodeID>(
        rows, filters: filters, isTyped: !rules.isEmpty, options: .onRequest, in: context)
      input = try options.restrict(to: selection, of: store, reporter, in: context)
    }
    options.outdatedSidecars = try takeOverNewerMedia(of: store, in: context)
    options.moveTo = try options.moveTo.flatMap { _ in
      try rules.rootToMoveTo(of: plan ? store.dryRun : store, in: context)
    }
    let tools = try LibraryTools(
      store, context.settings.files(), clock: context.clock, tool: context.stage,
      shouldStop: { interruption.isRequested })
    let given = apply ? try plannedSteps(reporter, in: context) : nil
    let planner = CleaningPlanner(tools, options: options, now: context.systemClock.now)
    let run = CleaningRun(
      store: store, planner: planner, executor: CleanupExecutor(tools, cache: options.cache))
    var report = CleaningReport(
      of: store, untouched: input, cache: options.cache, to: reporter, in: context)
    do {
      if given?.isEmpty != true, let problem = try planner.clockProblem() {
        context.messages.note("\(problem.summary); nothing expires and nothing is purged")
      }
      if let given, !given.isEmpty {
        try run.apply(given.map(\.step)) { index, step, result in
          try report.report(step, result: result, for: given[index].received)
        }
      } else if given == nil {
        try run.perform(
          isPlan: plan, confirm: { try rules.confirm($0, in: context, until: interruption) },
          report: { step, result in try report.report(step, result: result) })
      }
    } catch  where error.isInterruption {
      return try reporter.finish(interruptedBy: interruption)
    }
    try report.reportUntouched()
    if let content = try planner.trashContent() { noteTrash(content, in: context) }
    try report.finish()
  }

  /// Takes over the marks and removals that are newer beside the media than in the store.
  ///
  /// - Returns: the episodes whose sidecars are older than the store.
  private func takeOverNewerMedia(
    of store: LibraryStore, in context: CommandContext
  ) throws -> Set<EpisodeID> {
    // A plan takes nothing over, and neither do its rows: they are what the user has reviewed.
    let takesOver = !(apply || plan || isDryRun)
    let newer = try NewerMedia(takesOver ? store : store.dryRun, now: context.clock.now).takeOver()
    if !apply, !newer.isEmpty {
      context.messages.note(newer.text + (takesOver ? ", and taken over" : ""))
    }
    return newer.outdated
  }

  private func noteTrash(
    _ content: (count: Int, bytes: Int64, purgedFrom: Timestamp), in context: CommandContext
  ) {
    guard content.bytes > 0 else { return }
    let size = ByteCount(clamping: content.bytes).forPeople
    context.messages.note(
      "the trash holds \(content.count) removed, \(size), until \(content.purgedFrom.text) or later; "
        + "'vmx clean --empty-trash' purges it now")
  }

  /// Reads all rows of a plan before the first step; returns none if a line is invalid.
  ///
  /// - Throws: `usage` if standard input is not a pipe or a file; `input-missing`.
  private func plannedSteps(
    _ reporter: RowReporter<CleaningRow>, in context: CommandContext
  ) throws -> [(step: CleaningStep, received: JSONObject)] {
    let selection = InputSelection<CleaningStep>(rows, .failures, accepting: [.step], in: context) {
      row throws(Failure) in
      guard let object = row.object else {
        throw Failure(.badLine, "the line is not a row of a plan")
      }
      return try CleaningStep(row: object)
    }
    guard selection.source == .rows else {
      throw Failure(
        .usage, "no plan given",
        hint: "pipe in rows: vmx clean --plan | jq … | vmx clean --apply")
    }
    return try selection.allOrInvalid().compactMap { entry in
      switch entry {
      case .item(let step, let row): return (step, row.received)
      case .invalid(let failure, let row):
        let hint = "correct or remove that line; nothing was changed"
        let failure = Failure(failure.code, failure.summary, hint: hint)
        if let position = row.position { reporter.reportInvalidLine(failure, at: position) }
        return nil
      case .passThrough(let object):
        try reporter.passThrough(object)
        return nil
      }
    }
  }
}
