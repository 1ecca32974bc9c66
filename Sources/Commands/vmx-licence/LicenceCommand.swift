import ArgumentParser
import VmxCommand
import VmxFetching
import VmxLicence
import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// Shows the licences of episodes, and calls their providers.
@main
struct LicenceCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "licence",
    usage: "vmx licence [show|refresh|renew|return|register] [<options>] [<id>]...",
    discussion: """
      'show' prints the rights and the offers of the provider, from its last response; without \
      ids, for all episodes. 'refresh' queries the provider. 'renew' requests a later end, \
      'return' returns the licence and deletes its files, 'register' registers this device, as the \
      first play does. Without ids and filters, rows are read from standard input if it is a pipe \
      or a file.

      vmx licence girls/s01e02
      vmx list --expiring 48h --json | vmx licence refresh --json
      vmx licence renew --until 14d girls/s01e02
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions

  @Option(
    help: ArgumentHelp(
      "With 'renew': the end to request, as a date, a time, or a duration such as 14d.",
      valueName: "time"))
  var until: String?

  @Flag(
    help:
      "With 'refresh': only licences not checked for a day, or for an hour on their last day.")
  var stale = false

  @OptionGroup var dryRunOption: DryRunOption

  @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
  var yes = false

  @Argument(help: ArgumentHelp("The request, then ids of episodes, or shows.", valueName: "id"))
  var operands: [String] = []

  /// The action: the first operand if it is an action's name. Ids always contain a slash.
  private var action: LicenceAction { operands.first.flatMap(LicenceAction.init) ?? .show }

  private var ids: [String] {
    operands.first.flatMap(LicenceAction.init) == nil ? operands : Array(operands.dropFirst())
  }

  func validate() throws {
    if stale, !ids.isEmpty || !filters.isEmpty {
      throw ValidationError("--stale excludes ids and filters")
    }
  }

  func perform(in context: CommandContext) throws {
    try checkOptions(
      of: action.rawValue, readOnly: "show",
      [("--until", until != nil, "renew"), ("--stale", stale, "refresh")])
    let usual = action == .show ? LicenceField.defaultFields : [.id, .outcome, .state, .text]
    let reporter = RowReporter<LicenceRow>(
      try form.form(output, usual: usual), usual: usual, in: context)
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    try filters.requireShows(in: store.snapshot(), context)
    let network = try openNetwork(store, until: interruption, in: context)
    defer { network.close() }
    let work = try LicenceWork(
      .init(action: action, end: try end(now: context.clock.now)), service: network.service,
      store: store,
      claimTimeout: try lock.milliseconds(in: context), reporter: reporter, in: context)
    let view = try LibraryView(try store.snapshot(), of: store, in: context)
    if action == .show {
      let input = InputSelection<EpisodeID>(ids, filters: filters, options: .onRequest, in: context)
      try work.show(input, filters: filters, view: view)
      return try view.finish(reporter, in: context)
    }
    if stale {
      try context.ending(by: interruption) {
        try work.refreshDue(LicenceRefreshSchedule(now: context.clock.now), until: interruption)
      }
    } else {
      let input = try InputSelection(
        required: ids, filters, from: store, ofShows: .withLicence, in: context)
      try confirmReturn(until: interruption, in: context)
      try context.ending(by: interruption) {
        try work.perform(on: input, view: view, until: interruption)
      }
    }
    try reporter.finish(interruptedBy: interruption)
  }

  private func openNetwork(
    _ store: LibraryStore, until interruption: Interruption, in context: CommandContext
  ) throws -> LicenceNetwork {
    let environment = FetchEnvironment(
      clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
      interruption: interruption)
    return try LicenceNetwork(store, context.settings, environment: environment) {
      context.messages.note($0)
    }
  }

  /// Asks for confirmation if licences are to be returned.
  private func confirmReturn(
    until interruption: Interruption, in context: CommandContext
  ) throws {
    guard action == .returnLicence, !isDryRun else { return }
    try context.confirm(
      "return the licences and delete their files", isGiven: yes, until: interruption)
  }

  private func end(now: Timestamp) throws(Failure) -> Timestamp? {
    guard let until else { return nil }
    let end =
      Timestamp(until) ?? CalendarDay(until).flatMap { Timestamp("\($0)T23:59:59Z") }
      ?? DurationText.milliseconds(of: until).map { now.adding(milliseconds: $0) }
    guard let end, end > now else {
      throw Failure(
        .usage, "'--until' is not a future time: '\(until)'",
        hint: "give a date such as 2027-01-31, a time, or a duration such as 14d")
    }
    return end
  }
}

/// An action of `vmx licence`. The raw value is the operand.
enum LicenceAction: String, CaseIterable {
  case show, refresh, renew, register
  case returnLicence = "return"
}
