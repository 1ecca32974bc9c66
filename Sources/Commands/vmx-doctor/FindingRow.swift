import VmxModel
import VmxPresentation

/// One finding of `vmx doctor`, as a row.
struct FindingRow: ListingRow {
  /// The outcome of the repair of a finding.
  enum RepairOutcome: String, Sendable {
    case repaired = "mended", planned, remaining = "left"
  }

  var kind: RowKind? { .finding }
  private let finding: Finding
  private let repairOutcome: RepairOutcome?

  /// Creates the row of a finding.
  ///
  /// - Parameter repairOutcome: the outcome of its repair; nil if none was requested or possible.
  init(_ finding: Finding, repairOutcome: RepairOutcome? = nil) {
    self.finding = finding
    self.repairOutcome = repairOutcome
  }

  var id: String { finding.check.rawValue }

  /// Whether nothing was found, and nothing repaired.
  var isInOrder: Bool { finding.severity == .ok && repairOutcome == nil }

  func value(_ field: FindingField) -> RowValue {
    switch field {
    case .check: .word(id, .strong)
    case .severity: .word(finding.severity.rawValue, style)
    case .code: .word(finding.code?.rawValue)
    case .summary: .text(nonEmpty: finding.summary)
    case .subject: .text(nonEmpty: finding.subject)
    case .line: .number(finding.line)
    case .outcome: .word(repairOutcome?.rawValue)
    case .hint: .text(nonEmpty: finding.hint)
    }
  }

  private var style: TextStyle {
    switch finding.severity {
    case .ok: .success
    case .note: .warning
    case .problem: .failure
    }
  }
}

/// The findings before a repair, its results, and the findings that remain.
struct RepairReport: Sendable {
  /// The rows to print: first the repairable findings with their outcome, then the new ones.
  let rows: [FindingRow]
  /// The findings that remain.
  let remaining: [Finding]

  /// Repairs the findings, if requested.
  ///
  /// - Parameters:
  ///   - isMending: whether the user asked for a repair.
  ///   - isTrial: whether the repair is only simulated.
  ///   - mend: repairs the findings and returns those of a new diagnosis.
  init(
    _ findings: [Finding], isMending: Bool, isTrial: Bool,
    mend: ([Finding]) throws -> [Finding]
  ) rethrows {
    guard isMending, !isTrial, findings.contains(where: \.isRepairable) else {
      remaining = findings
      rows = findings.map { finding in
        FindingRow(finding, repairOutcome: isMending && finding.isRepairable ? .planned : nil)
      }
      return
    }
    let after = try mend(findings)
    let told = findings.filter(\.isRepairable).map { finding in
      let isLeft = after.contains { $0.isSame(as: finding) }
      return FindingRow(finding, repairOutcome: isLeft ? .remaining : .repaired)
    }
    let now = after.filter { finding in
      !findings.contains { $0.isRepairable && $0.isSame(as: finding) }
    }
    rows = told + now.map { FindingRow($0) }
    remaining = after
  }
}

extension Finding {
  /// Whether both describe the same problem, even if its line has moved.
  fileprivate func isSame(as other: Finding) -> Bool {
    check == other.check && summary == other.summary && subject == other.subject
  }
}

/// A text about a library that is safe to publish: versions, sizes and findings, without names,
/// titles, addresses, paths or secrets.
struct HealthReport: Sendable {
  private let facts: [(name: String, value: String)]
  private let findings: [Finding]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - facts: names and values that `vmx` itself produces, with no text from outside.
  ///   - findings: the findings; their subjects are omitted.
  init(facts: [(name: String, value: String)], findings: [Finding]) {
    self.facts = facts
    self.findings = findings
  }

  /// The lines of the report, each with its line end.
  var text: String {
    var text = ""
    for fact in facts { text += "\(fact.name): \(TerminalText.escaped(fact.value))\n" }
    for finding in findings {
      text += "\(finding.check.rawValue): \(finding.severity.rawValue)"
      if let code = finding.code { text += "[\(code.rawValue)]" }
      if let line = finding.line { text += " line \(line)" }
      text += ": \(TerminalText.escaped(finding.summary))\n"
    }
    return text
  }
}
