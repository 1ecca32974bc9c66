package import VmxModel

/// The findings before a repair, its results, and the findings that remain.
package struct MendingRound: Sendable {
  /// The rows to print: first the repairable findings with their outcome, then the new ones.
  package let rows: [FindingRow]
  /// The findings that remain.
  package let left: [Finding]

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
    guard isMending, !isTrial, findings.contains(where: \.isMendable) else {
      left = findings
      rows = findings.map { finding in
        FindingRow(finding, mending: isMending && finding.isMendable ? .planned : nil)
      }
      return
    }
    let after = try mend(findings)
    let told = findings.filter(\.isMendable).map { finding in
      let isLeft = after.contains { $0.isSame(as: finding) }
      return FindingRow(finding, mending: isLeft ? .left : .mended)
    }
    let now = after.filter { finding in
      !findings.contains { $0.isMendable && $0.isSame(as: finding) }
    }
    rows = told + now.map { FindingRow($0) }
    left = after
  }
}

extension Finding {
  /// Whether both describe the same problem, even if its line has moved.
  fileprivate func isSame(as other: Finding) -> Bool {
    check == other.check && what == other.what && subject == other.subject
  }
}
