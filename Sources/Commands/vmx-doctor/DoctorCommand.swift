import ArgumentParser
import VmxCommand
import VmxLibrary
import VmxModel
import VmxPresentation
import VmxStore

/// Reports problems of the library, and repairs them without losing data.
@main
struct DoctorCommand: Command {
  static let configuration = CommandConfiguration(
    tool: "doctor", usage: "vmx doctor [<options>]",
    discussion: """
      Without --mend nothing is changed and no lock is taken. Lines that cannot be read are moved to \
      'store.damaged'; the store as it was stays as 'store.jsonl.1'.

      Examples:
        vmx doctor
        vmx doctor --mend --dry-run
        vmx doctor --json | jq 'select(.severity != "ok")'
        vmx doctor --report > report.txt
      """)

  static let worksWithoutSettings = true

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var lock: LockOptions

  @Flag(help: "Mend what can be mended without losing anything.")
  var mend = false

  @Flag(
    name: [.customShort("n"), .long],
    help: "With --mend: tell what would be mended, and mend nothing.")
  var dryRun = false

  @Flag(help: "Print a text that may be sent to anybody: no names, addresses, paths or secrets.")
  var report = false

  func validate() throws {
    if dryRun, !mend { throw ValidationError("--dry-run goes with --mend") }
    if report, mend { throw ValidationError("--report and --mend exclude each other") }
    if report, output.json || form.fields != nil || form.format != nil || form.null {
      throw ValidationError("--report has one form; it excludes --json, --fields, --format and -0")
    }
  }

  func perform(in context: CommandContext) throws {
    let usual = FindingField.usual + (mend ? [.outcome] : [])
    let form: OutputForm<FindingField> = try form.form(output, usual: usual)
    let diagnosis = try LibraryDiagnosis(
      LibraryHome(try context.home()), options: options(in: context), clock: context.clock)
    let examined = diagnosis.examine()
    let findings = [SettingsDiagnosis.finding(in: context)] + examined.findings
    if report {
      let facts = ReportFacts.facts(of: examined.measure)
      try context.output.write(HealthReport(facts: facts, findings: findings).text)
      return try conclude(findings)
    }
    let round = try MendingRound(findings, isMending: mend, isTrial: dryRun) { findings in
      for failure in try diagnosis.mend(findings) { context.messages.report(failure) }
      return [SettingsDiagnosis.finding(in: context)] + diagnosis.examine().findings
    }
    var listing = Listing<FindingRow>(form, to: context.output, context.terminal)
    for row in round.rows { try listing.row(row) }
    try listing.end()
    if form == .columns(usual) { tellHints(of: round.left, in: context) }
    try conclude(round.left)
  }

  private func options(in context: CommandContext) throws -> StoreOptions {
    var options = StoreOptions()
    guard SettingsDiagnosis.finding(in: context).severity == .ok else { return options }
    options.lockTimeout = try lock.milliseconds(in: context)
    options.allowsNetwork = try context.settings.bool(.networkStore)
    return options
  }

  /// Prints each hint once, since the table has no column for it.
  private func tellHints(of findings: [Finding], in context: CommandContext) {
    var told: Set<String> = []
    for finding in findings where finding.severity == .problem && !finding.hint.isEmpty {
      if told.insert(finding.hint).inserted { context.messages.note("hint: \(finding.hint)") }
    }
  }

  private func conclude(_ findings: [Finding]) throws {
    guard findings.contains(where: { $0.severity == .problem }) else { return }
    throw CommandEnding.status(.someFailed)
  }
}
