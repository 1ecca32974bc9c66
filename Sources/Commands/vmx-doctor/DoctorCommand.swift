import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// Reports problems of the library, and repairs them without losing data.
@main
struct DoctorCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "doctor", usage: "vmx doctor [<options>]",
    discussion: """
      Without --mend, changes nothing and takes no lock. --mend moves unreadable lines to \
      'store.damaged', and keeps the previous store as 'store.jsonl.1'.

      Examples:
        vmx doctor
        vmx doctor --mend --dry-run
        vmx doctor --json | jq 'select(.severity != "ok")'
        vmx doctor --report > report.txt
      """)

  static let worksWithoutSettings = true

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: TableOption
  @OptionGroup(title: "Advanced options") var lock: LockOptions

  @Flag(help: "Repair what can be repaired without losing data.")
  var mend = false

  @Flag(
    name: [.customShort("n"), .long],
    help: "With --mend: print what would be done; change nothing.")
  var dryRun = false

  @Flag(help: "Print a report for publication: no names, addresses, paths or secrets.")
  var report = false

  var printsUnderQuiet: Bool { form.isSpecified || report }

  var isDryRun: Bool { dryRun }

  func validate() throws {
    if dryRun, !mend { throw ValidationError("--dry-run requires --mend") }
    if report, mend { throw ValidationError("--report and --mend exclude each other") }
    if report, output.json || form.fields != nil || form.format != nil || form.null {
      throw ValidationError("--report excludes --json, --fields, --format and -0")
    }
  }

  func perform(in context: CommandContext) throws {
    let usual = FindingField.defaultFields + (mend ? [.outcome] : [])
    let form: OutputForm<FindingField> = try form.form(output, usual: usual, isTable: screen.table)
    let home = LibraryHome(try context.home())
    let storeOptions = try options(in: context)
    let diagnosis = LibraryDiagnosis(home, options: storeOptions, clock: context.clock)
    func allFindings(_ findings: [Finding]) -> [Finding] {
      context.settingsFindings + findings
        + storeFindings(beside: findings, home, storeOptions, in: context)
    }
    let examined = diagnosis.examine()
    let findings = allFindings(examined.findings)
    if report {
      let report = HealthReport(facts: facts(of: examined.measure), findings: findings)
      try context.output.write(report.text)
      return try finish(findings)
    }
    let repair = try RepairReport(findings, isMending: mend, isTrial: dryRun) { findings in
      for failure in try diagnosis.repair(findings) { context.messages.report(failure) }
      try finishSecrets(findings, of: home, with: storeOptions, in: context)
      try renameShows(findings, of: home, with: storeOptions, in: context)
      return allFindings(diagnosis.examine().findings)
    }
    try print(repair.rows, as: form, usual: usual, in: context)
    if output.quiet, !output.json, !printsUnderQuiet {
      for finding in repair.remaining where finding.severity == .problem {
        context.messages.report(finding.failure)
      }
    } else if form.isDefault(usual) {
      printHints(of: repair.remaining, in: context)
    }
    try finish(repair.remaining)
  }

  /// Prints the rows. A table without `--verbose` has only those that are not in order.
  private func print(
    _ rows: [FindingRow], as form: OutputForm<FindingField>, usual: [FindingField],
    in context: CommandContext
  ) throws {
    let isBrief =
      form.isDefault(usual) && (context.terminal.isTerminal || screen.table) && output.verbose == 0
      && !output.quiet
    let shown = isBrief ? rows.filter { !$0.isInOrder } : rows
    let reporter = RowReporter<FindingRow>(form, in: context)
    for row in shown { try reporter.print(row, flushing: false) }
    try reporter.end()
    if shown.isEmpty, isBrief {
      try context.output.write("healthy: \(rows.count) checks\n")
    }
  }

  /// Returns what only an open store shows: the lock of parental control, secrets and twins; or why
  /// it does not open, unless the other findings already say so.
  private func storeFindings(
    beside findings: [Finding], _ home: LibraryHome, _ options: StoreOptions,
    in context: CommandContext
  ) -> [Finding] {
    do {
      let store = try LibraryStore.open(home, options: options, clock: context.clock)
      return home.parentalFindings(mark: store.lockMark) + store.secrets.findings + twins(store)
        + hostNames(store)
    } catch {
      let failure = Failure(error)
      let isFound = findings.contains(where: { $0.code == failure.code })
      return home.parentalFindings(mark: nil) + (isFound ? [] : [.failure(.home, failure)])
    }
  }

  /// Returns the number of episodes with several records, with the command that joins them.
  private func twins(_ store: LibraryStore) -> [Finding] {
    do {
      let count = try EpisodeTwins(in: store.snapshot()).pairs.count
      guard count > 0 else { return [] }
      return [
        .note(
          .twins,
          (count == 1 ? "1 episode has two records" : "\(count) episodes have two records")
            + "; 'vmx clean --join' makes them one", hint: "run 'vmx clean --join --dry-run'")
      ]
    } catch {
      return [.failure(.twins, error)]
    }
  }

  /// Returns a finding for each show that has the name of a host as its slug.
  private func hostNames(_ store: LibraryStore) -> [Finding] {
    do {
      return try HostNamedShows(in: store.snapshot()).shows.map { show in
        .note(
          .feeds, "the show has the name of a host, since its feed had no title", of: show.slug,
          hint: "run 'vmx rename \(show.slug) \(show.better)'", isMendable: !show.hasFiles)
      }
    } catch {
      return [.failure(.feeds, error)]
    }
  }

  /// Gives shows of which nothing was fetched the slugs of their titles.
  private func renameShows(
    _ findings: [Finding], of home: LibraryHome, with options: StoreOptions,
    in context: CommandContext
  ) throws {
    guard findings.contains(where: { $0.check == .feeds && $0.isRepairable }) else { return }
    let store = try LibraryStore.open(home, options: options, clock: context.clock)
    do {
      try HostNamedShows(in: store.snapshot()).rename(
        in: store, Operation(tool: context.stage, at: context.clock.now))
    } catch let failure as Failure {
      context.messages.report(failure)
    }
  }

  /// Completes interrupted changes of secrets.
  private func finishSecrets(
    _ findings: [Finding], of home: LibraryHome, with options: StoreOptions,
    in context: CommandContext
  ) throws {
    guard findings.contains(where: { $0.check == .secrets && $0.isRepairable }) else { return }
    let store = try LibraryStore.open(home, options: options, clock: context.clock)
    do {
      try store.secrets.finishChanges()
    } catch let failure as Failure {
      context.messages.report(failure)
    }
  }

  private func options(in context: CommandContext) throws -> StoreOptions {
    var options = StoreOptions()
    guard context.settingsFinding.severity == .ok else { return options }
    options.lockTimeout = try lock.milliseconds(in: context)
    options.allowsNetwork = try context.settings.bool(.networkStore)
    options.roots = try context.configuredRoot().map { [$0] } ?? []
    options.secrets = try context.secretRule()
    return options
  }

  /// Returns versions and sizes, without any text from outside vmx.
  private func facts(of measure: StoreMeasure?) -> [(name: String, value: String)] {
    var facts = [("vmx", Toolbox.version), ("system", systemDescription())]
    guard let measure else { return facts + [("store", "unreadable")] }
    facts.append(("format", measure.format ?? "unknown"))
    facts.append(("epoch", measure.epoch.map { "\($0)" } ?? "unknown"))
    facts.append(("size", "\(measure.size)"))
    facts.append(("lines", "\(measure.lines)"))
    facts.append(("records", "\(measure.records)"))
    facts.append(("dead bytes", "\(measure.deadBytes)"))
    return facts
  }

  /// Prints each hint once, since the table has no column for it.
  private func printHints(of findings: [Finding], in context: CommandContext) {
    var printed: Set<String> = []
    for finding in findings where finding.severity == .problem && !finding.hint.isEmpty {
      if printed.insert(finding.hint).inserted { context.messages.note("hint: \(finding.hint)") }
    }
  }

  private func finish(_ findings: [Finding]) throws {
    guard findings.contains(where: { $0.severity == .problem }) else { return }
    throw CommandExit.status(.someFailed)
  }
}

extension Finding {
  /// The problem as a message.
  fileprivate var failure: Failure {
    let words = [subject.map { "'\($0)'" }, line.map { "line \($0)" }, summary]
    return Failure(
      code ?? .internalError, words.compactMap { $0 }.joined(separator: ": "),
      hint: hint.isEmpty ? nil : hint)
  }
}
