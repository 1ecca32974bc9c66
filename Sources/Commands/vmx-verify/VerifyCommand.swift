import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxSettings
import VmxStore
import VmxSystem
import VmxVerifying

/// Verifies the files of the library against their records.
@main
struct VerifyCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "verify", usage: "vmx verify [<options>] [<id>]...",
    discussion: """
      Without ids and filters, verifies the whole library, least recently verified files first; \
      with '-', reads rows from standard input. Prints only problems; with --json, --fields, \
      --format or -v, prints a row for each file.

      vmx verify --stalest --budget 20G
      vmx list --unproven 90d --json | vmx verify --json -
      vmx verify --all --checksums >SHA256SUMS
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup(title: "Advanced options") var lock: LockOptions
  @OptionGroup(title: "Filters") var filters: FilterOptions
  @OptionGroup var limits: VerificationLimits

  @Flag(help: "Verify the whole library; do not read standard input.")
  var stalest = false

  @Flag(help: "Print recorded digests for 'sha256sum -c'.")
  var checksums = false

  @Argument(help: "Only these ids or shows; '-' reads rows from standard input.")
  var ids: [String] = []

  var printsUnderQuiet: Bool { form.isSpecified || checksums }

  func validate() throws {
    if checksums && (output.json || form.format != nil || form.fields != nil || form.null) {
      throw ValidationError("--checksums excludes --json, --fields, --format and -0")
    }
    if checksums && (limits.probe || limits.repair) {
      throw ValidationError("--checksums excludes --probe and --repair")
    }
  }

  var isDryRun: Bool { limits.dryRun }

  func perform(in context: CommandContext) throws {
    var settings = try limits.settings()
    let usual = limits.probe ? VerificationField.timed : VerificationField.defaultFields
    let form = try form.form(output, usual: usual)
    let ffprobe = try limits.ffprobe(in: context.environment)
    let interruption = checksums ? nil : try Interruption.install()
    let store = try context.openStore(lock, until: interruption)
    let files = try context.settings.files()
    let tools = LibraryTools(
      store, files, clock: context.clock, tool: context.stage,
      shouldStop: { interruption?.isRequested ?? false })
    // A cut that has begun is completed.
    let cutting = LibraryTools(store, files, clock: context.clock, tool: context.stage)
    let cuts = limits.repair ? FilmCuts(by: cutting, in: context) : nil
    try cuts?.undoInterrupted()
    let reporter = RowReporter<VerificationRow>(
      form, usual: usual, in: context, tally: Tally(labelOrder: Verdict.allCases.map(\.rawValue)))
    try filters.checkQuotes(ids, in: store.snapshot(), context)
    try filters.requireShows(in: store.snapshot(), context)
    let input = try VerifyInput(
      InputSelection(ids, filters: filters, isTyped: stalest, options: .onRequest, in: context),
      filters: filters, due: try context.dueRule(), of: store, to: reporter)
    guard let interruption else { return try printChecksums(input, reporter, in: context) }
    settings.sidecars = tools.sidecars
    settings.reportsIntact = output.verbose > 0 || !form.isDefault(usual)
    settings.prober = ffprobe.map {
      TrackProber($0, environment: context.environment.variables, or: interruption)
    }
    var report = VerificationReport(
      of: input, settings: settings, cuts: cuts, to: reporter, in: context)
    let end = try verify(
      input, settings: settings, with: tools, until: interruption, in: context
    ) { try report.report($0) }
    try report.finish(after: end, interruption)
  }

  /// Verifies the files of the input.
  ///
  /// - Returns: the end of the run; nil if it was interrupted while it waited for the write lock.
  ///   The next run verifies the unrecorded files again.
  private func verify(
    _ input: VerifyInput, settings: VerificationSettings, with tools: LibraryTools,
    until interruption: Interruption, in context: CommandContext,
    report: @escaping (VerificationResult) throws -> Void
  ) throws -> VerificationRun.End? {
    let display = context.byteDisplay(
      of: "verify", isOff: output.quiet || context.isJSON || limits.quick)
    defer { display.close() }
    let bytes = display.isDisabled ? nil : try input.bytes(within: settings.budget)
    let run = VerificationRun(tools, settings: settings) { display.add($0, of: bytes) }
    // The thread sleeps until the first signal; the exit of the process ends it.
    _ = try WorkerThread.start("vmx-interrupt") {
      interruption.wait()
      run.stop()
    }
    do {
      return try run.perform(
        feed: { input.submit(isQuick: settings.isQuick, through: run.skipFilter, $0) },
        report: report)
    } catch  where error.isInterruption {
      return nil
    }
  }

  private func printChecksums(
    _ input: VerifyInput, _ reporter: RowReporter<VerificationRow>, in context: CommandContext
  ) throws {
    let list = ChecksumList(of: input.snapshot)
    try input.forEach { summary in
      guard context.parental.allows(summary.id) else { return true }
      for line in list.lines(of: summary) { try context.output.write(line) }
      return true
    }
    try reporter.finish(notes: reporter.tally.isEmpty ? [] : [reporter.tally.text])
  }
}
