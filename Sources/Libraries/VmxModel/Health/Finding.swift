/// A check in the diagnosis of a library; the raw value is stored in records.
package enum HealthCheck: String, Sendable, CaseIterable {
  /// The settings files.
  case settings
  /// The folder `VMX_HOME` and the type of its file system.
  case home
  /// Parental control, and where secrets are kept.
  case secrets
  /// The permissions of private files.
  case permissions
  /// The lock file, and whether its file system supports locks.
  case locks
  /// The free space, and the reserve for the store.
  case space
  /// The first line of the store.
  case header
  /// Lines that cannot be decoded.
  case lines
  /// Lines that are duplicated or out of sequence.
  case order
  /// Trailing bytes of the store that do not form a valid line.
  case end
  /// The snapshot from before the last compaction.
  case snapshot
  /// The lines that were set aside.
  case aside
  /// The aliases of ids.
  case aliases
  /// The trails of the episodes, compared with the state tables.
  case trails
  /// The clock compared with the newest line.
  case clock
  /// The folders that hold media.
  case roots
  /// The feeds that cannot be read, and the shows that have the name of a host.
  case feeds
  /// Records that are one episode.
  case twins
}

/// One result of a check in the diagnosis of a library.
package struct Finding: Sendable, Equatable {
  /// The severity of a finding.
  package enum Severity: String, Sendable, CaseIterable {
    /// No problem.
    case ok
    /// Information; no action is needed.
    case note
    /// Something does not work, or data is lost until it is repaired.
    case problem
  }

  /// The check that produced the finding.
  package let check: HealthCheck
  /// The severity.
  package let severity: Severity
  /// The error code of a problem.
  package let code: ErrorCode?
  /// The description, without private data, so that the user can share it.
  package let summary: String
  /// The subject, such as a path or an id; may be external text and private.
  package let subject: String?
  /// The line of the store, counted from 1.
  package let line: Int?
  /// The next step for the user; empty if none is needed.
  package let hint: String
  /// Whether `vmx doctor --mend` can repair it.
  package let isRepairable: Bool

  /// Creates a finding without a problem.
  package static func ok(_ check: HealthCheck, _ what: String, of subject: String? = nil) -> Finding
  {
    Finding(
      check: check, severity: .ok, code: nil, summary: what, subject: subject, line: nil, hint: "",
      isRepairable: false)
  }

  /// Creates an informational finding.
  package static func note(
    _ check: HealthCheck, _ what: String, of subject: String? = nil, line: Int? = nil,
    hint: String = "", isMendable: Bool = false
  ) -> Finding {
    Finding(
      check: check, severity: .note, code: nil, summary: what, subject: subject, line: line,
      hint: hint, isRepairable: isMendable)
  }

  /// Creates a problem; the hint is the catalogue's unless given.
  package static func problem(
    _ check: HealthCheck, _ code: ErrorCode, summary: String, of subject: String? = nil,
    line: Int? = nil, hint: String? = nil, isMendable: Bool = false
  ) -> Finding {
    Finding(
      check: check, severity: .problem, code: code, summary: summary, subject: subject, line: line,
      hint: hint ?? code.entry.hint, isRepairable: isMendable)
  }

  /// Creates a finding from the error that ended a check; its text may contain private data.
  package static func failure(_ check: HealthCheck, _ error: any Error) -> Finding {
    let failure = Failure(error)
    return problem(
      check, failure.code, summary: failure.code.entry.sentence, of: failure.summary,
      hint: failure.hint)
  }
}
