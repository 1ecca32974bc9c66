package import VmxModel

/// The fields of a finding in listings.
package enum FindingField: String, ListingField {
  case check, severity, code, summary = "what", subject, line, outcome, hint

  package static let defaultFields: [FindingField] = [
    .check, .severity, .code, .line, .summary, .subject,
  ]

  package var column: Column {
    switch self {
    case .check, .severity: Column(heading, importance: 2)
    case .summary: Column(heading, .left, .wrapped, importance: 2)
    case .hint: Column(heading, .left, .wrapped)
    case .subject: Column(heading, .left, .middle)
    case .line: Column("LINE", .right)
    default: Column(heading)
    }
  }
}

/// One finding of `vmx doctor`, as a row.
package struct FindingRow: ListingRow {
  /// The outcome of the repair of a finding.
  package enum RepairOutcome: String, Sendable {
    case repaired = "mended", planned, remaining = "left"
  }

  package var kind: RowKind? { .finding }
  private let finding: Finding
  private let repairOutcome: RepairOutcome?

  /// Creates the row of a finding.
  ///
  /// - Parameter mending: the outcome of its repair; nil if no repair was requested or possible.
  package init(_ finding: Finding, mending: RepairOutcome? = nil) {
    self.finding = finding
    self.repairOutcome = mending
  }

  package var id: String { finding.check.rawValue }

  package func cell(_ field: FindingField) -> Cell {
    switch field {
    case .check: Cell(exact(field), .strong)
    case .severity: Cell(exact(field), style)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: FindingField) -> String {
    switch field {
    case .check: finding.check.rawValue
    case .severity: finding.severity.rawValue
    case .code: finding.code?.rawValue ?? ""
    case .summary: finding.summary
    case .subject: finding.subject ?? ""
    case .line: finding.line.map(String.init) ?? ""
    case .outcome: repairOutcome?.rawValue ?? ""
    case .hint: finding.hint
    }
  }

  package func json(_ field: FindingField) -> JSONValue? {
    if field == .line { return finding.line.map { .integer(Int64($0)) } }
    return exact(field).isEmpty ? nil : .string(exact(field))
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
package struct RepairReport: Sendable {
  /// The rows to print: first the repairable findings with their outcome, then the new ones.
  package let rows: [FindingRow]
  /// The findings that remain.
  package let remaining: [Finding]

  /// Repairs the findings, if requested.
  ///
  /// - Parameters:
  ///   - isMending: whether the user asked for a repair.
  ///   - isTrial: whether the repair is only simulated.
  ///   - mend: repairs the findings and returns those of a new diagnosis.
  package init(
    _ findings: [Finding], isMending: Bool, isTrial: Bool,
    mend: ([Finding]) throws -> [Finding]
  ) rethrows {
    guard isMending, !isTrial, findings.contains(where: \.isRepairable) else {
      remaining = findings
      rows = findings.map { finding in
        FindingRow(finding, mending: isMending && finding.isRepairable ? .planned : nil)
      }
      return
    }
    let after = try mend(findings)
    let told = findings.filter(\.isRepairable).map { finding in
      let isLeft = after.contains { $0.isSame(as: finding) }
      return FindingRow(finding, mending: isLeft ? .remaining : .repaired)
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
package struct HealthReport: Sendable {
  private let facts: [(name: String, value: String)]
  private let findings: [Finding]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - facts: names and values that `vmx` itself produces, with no text from outside.
  ///   - findings: the findings; their subjects are omitted.
  package init(facts: [(name: String, value: String)], findings: [Finding]) {
    self.facts = facts
    self.findings = findings
  }

  /// The lines of the report, each with its line end.
  package var text: String {
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
