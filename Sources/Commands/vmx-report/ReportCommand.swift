import ArgumentParser
import VmxCommand
import VmxDigest
import VmxFetching
import VmxLibrary
import VmxLicence
import VmxModel
import VmxPresentation
import VmxQueueing
import VmxRemoving
import VmxStore
import VmxSyncing
import VmxSystem

/// Sends recorded events to backends, and executes their orders.
@main
struct ReportCommand: Command, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "report", usage: "vmx report [<options>]",
    discussion: """
      Sends the recorded events to the URL in 'report.url', makes the pending calls to licence \
      providers, and executes the orders in the responses. Every fetch does the same during its \
      transfers.

      vmx report
      vmx report --dry-run --json
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @OptionGroup var dryRunOption: DryRunOption

  func perform(in context: CommandContext) throws {
    let reporter = RowReporter<ReportRow>(
      try form.form(output, usual: ReportField.defaultFields), usual: ReportField.defaultFields,
      in: context)
    ignoreBrokenPipes()
    let interruption = try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    if isDryRun {
      try plan(store, reporter, in: context)
      return try reporter.finish()
    }
    let network = try LicenceNetwork(
      store, context.settings,
      environment: FetchEnvironment(
        clock: context.clock, zone: SystemZone(), variables: context.environment.variables,
        interruption: interruption)
    ) { context.messages.note($0) }
    defer { network.close() }
    let work = try ReportWork(
      store, network: network, reporter: reporter, claimTimeout: lock.milliseconds(in: context),
      in: context)
    try context.ending(by: interruption) {
      try work.makeCalls(until: interruption)
      try work.deliver()
    }
    try reporter.finish(interruptedBy: interruption)
  }

  /// Prints what would be sent.
  private func plan(
    _ store: LibraryStore, _ reporter: RowReporter<ReportRow>, in context: CommandContext
  ) throws {
    let snapshot = try store.snapshot()
    for call in snapshot.pendingLicenceCalls() {
      try reporter.report(call.id, subject: .call(call.name), result: .planned, in: context)
    }
    for event in snapshot.outbox(of: .report) {
      try reporter.report(event, .planned, in: context)
    }
  }
}
