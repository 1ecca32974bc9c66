package import VmxModel

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
      text += ": \(TerminalText.escaped(finding.what))\n"
    }
    return text
  }
}
