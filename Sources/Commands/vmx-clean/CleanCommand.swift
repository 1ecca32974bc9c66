import ArgumentParser
import SystemPackage
import VmxBrowsing
import VmxCommand
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxStore
import VmxSystem

/// Reconciles the store with the disks, and frees space by rules.
@main
struct CleanCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "clean", usage: "vmx clean [<options>]",
    discussion: """
      Without options only safe steps are done: removals that have not ended, files that are gone \
      or found again, what crashes left, empty folders, the trash by its age and size. A root that \
      is away is not touched.

      Examples:
        vmx clean --dry-run
        vmx clean --install-login
        vmx clean --watched --older-than 14d
        vmx clean --keep-last 3 --show daily
        vmx clean --free 5G --plan | jq -c 'select(.bytes > 1000000)' | vmx clean --apply
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var filters: FilterOptions
  @OptionGroup var atLogin: LoginOptions

  @Flag(help: "Print what would be done as JSON Lines, and do nothing.")
  var plan = false

  @Flag(help: "Do what rows of a plan on standard input say, as far as they still hold.")
  var apply = false

  @Flag(
    name: [.customShort("n"), .long], help: "Tell what would be done, and do nothing.")
  var dryRun = false

  func validate() throws {
    if plan, apply { throw ValidationError("--plan and --apply exclude each other") }
    if atLogin.login || atLogin.installLogin, plan || apply || !filters.isEmpty || !rules.isEmpty {
      throw ValidationError("--login and --install-login take no plan, rules or filters")
    }
    if apply, !filters.isEmpty || !rules.isEmpty {
      throw ValidationError("--apply takes its steps from standard input, and no rules")
    }
  }

  /// At login, invalid settings are no error.
  static let worksWithoutSettings = true

  func perform(in context: CommandContext) throws {
    if atLogin.login { return atLogin.perform(in: context) }
    if let failure = context.settingsFailure { throw failure }
    if atLogin.installLogin { return try atLogin.install(in: context, isDryRun: dryRun) }
    var order = CleaningOrder(trash: try RuleOptions.trash(in: context))
    order.rules = try rules.rules(filters, try context.dueRule())
    order.discardsForeign = rules.foreign
    order.roots = rules.roots(in: context)
    order.cache = context.environment.base("XDG_CACHE_HOME", beneathHome: ".cache")?
      .appending("vmx")
    let form: OutputForm<CleaningField> = plan ? .json(nil) : try form.form(output)
    let reporter = CleaningReporter(form, in: context)
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let shouldStop: @Sendable () -> Bool = { interruption.isRequested }
    let rows = try apply ? PlannedRows(reading: context) : nil
    if apply { order.discardsForeign = true }
    let planner = CleaningPlanner(
      store: store, order: order, now: context.clock.now, shouldStop: shouldStop)
    let run = CleaningRun(
      store: store, planner: planner, reporter: reporter, context: context,
      cache: order.cache, writesNFO: try context.settings.bool(.libraryNFO),
      shouldStop: shouldStop)
    do {
      try run.perform(rows, isDryRun: plan || dryRun)
    } catch  where error.isInterruption {
      return try reporter.conclude(interruptedBy: interruption)
    }
    if dryRun { context.messages.note("nothing was changed: this was a rehearsal") }
    try reporter.conclude(isPlan: plan || dryRun)
  }
}
