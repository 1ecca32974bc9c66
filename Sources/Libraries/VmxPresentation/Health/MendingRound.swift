package import VmxModel

/// What was found, what was mended of it, and what is left.
package struct MendingRound: Sendable {
  /// The rows to print: what was to be mended first, then how things are now.
  package let rows: [FindingRow]
  /// The findings that hold now.
  package let left: [Finding]

  /// A round over what was found.
  ///
  /// - Parameters:
  ///   - isMending: whether anything is to be mended at all.
  ///   - isTrial: whether it is only told what would be.
  ///   - mend: mends, and gives what is found afterwards.
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
  /// Whether both tell the same of the same thing, wherever its line stands now.
  fileprivate func isSame(as other: Finding) -> Bool {
    check == other.check && what == other.what && subject == other.subject
  }
}
