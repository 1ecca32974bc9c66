package import VmxModel

/// The fields of a finding in listings.
package enum FindingField: String, ListingField {
  case check, severity, code, what, subject, line, outcome, hint

  package static let usual: [FindingField] = [.check, .severity, .code, .line, .what, .subject]

  package var column: Column {
    switch self {
    case .what, .subject, .hint: Column(rawValue.uppercased(), isFlexible: true)
    case .line: Column("LINE", .right)
    default: Column(rawValue.uppercased())
    }
  }
}

/// One finding of `vmx doctor`, as a row.
package struct FindingRow: ListingRow {
  /// The outcome of the repair of a finding.
  package enum Mending: String, Sendable {
    case mended, planned, left
  }

  private let finding: Finding
  private let mending: Mending?

  /// Creates the row of a finding.
  ///
  /// - Parameter mending: the outcome of its repair; nil if no repair was requested or possible.
  package init(_ finding: Finding, mending: Mending? = nil) {
    self.finding = finding
    self.mending = mending
  }

  package func cell(_ field: FindingField) -> Cell {
    switch field {
    case .check: Cell(exact(field), .strong)
    case .severity: Cell(exact(field), tone)
    default: Cell(exact(field))
    }
  }

  package func exact(_ field: FindingField) -> String {
    switch field {
    case .check: finding.check.rawValue
    case .severity: finding.severity.rawValue
    case .code: finding.code?.rawValue ?? ""
    case .what: finding.what
    case .subject: finding.subject ?? ""
    case .line: finding.line.map(String.init) ?? ""
    case .outcome: mending?.rawValue ?? ""
    case .hint: finding.hint
    }
  }

  package func record(_ fields: [FindingField]?) -> JSONObject {
    var object = EpisodeJSON.head(finding.check.rawValue)
    for field in fields ?? FindingField.allCases {
      if field == .line {
        object.append(field.rawValue, finding.line.map { .integer(Int64($0)) })
      } else if !exact(field).isEmpty {
        object.append(field.rawValue, exact(field))
      }
    }
    return object
  }

  private var tone: Tone {
    switch finding.severity {
    case .ok: .good
    case .note: .held
    case .problem: .bad
    }
  }
}
