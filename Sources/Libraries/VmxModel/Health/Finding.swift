/// What is looked at when a library is examined; the raw value stands in records.
package enum HealthCheck: String, Sendable, CaseIterable {
  /// The settings files.
  case settings
  /// The folder `VMX_HOME` and what kind of disk it lies on.
  case home
  /// Who may read and write what is private.
  case permissions
  /// The lock file, and whether its disk knows locks.
  case locks
  /// Free space, and the reserve behind the store.
  case space
  /// The first line of the store.
  case header
  /// Lines that cannot be read.
  case lines
  /// Lines that come twice or not in the order of their numbers.
  case order
  /// What stands at the end without counting.
  case end
  /// The snapshot from before the last compaction.
  case snapshot
  /// The lines that were put aside.
  case aside
  /// Ids that lead to others.
  case aliases
  /// The clock against the newest line.
  case clock
  /// The folders that hold media.
  case roots
}

/// One thing that was found when a library was examined.
package struct Finding: Sendable, Equatable {
  /// How bad it is.
  package enum Severity: String, Sendable, CaseIterable {
    /// It is as it should be.
    case ok
    /// Worth knowing; nothing needs to be done.
    case note
    /// Something does not work as it should, or something is lost until it is mended.
    case problem
  }

  /// What was looked at.
  package let check: HealthCheck
  /// How bad it is.
  package let severity: Severity
  /// The code of a problem.
  package let code: ErrorCode?
  /// What was found; in words of our own, so that it may be sent to anybody.
  package let what: String
  /// What it is about, such as a path or an id; may come from outside and be private.
  package let subject: String?
  /// The line of the store that it is about, counted from 1.
  package let line: Int?
  /// What to do next; empty where nothing needs to be done.
  package let hint: String
  /// Whether `vmx doctor --mend` can do it.
  package let isMendable: Bool

  /// Something that is as it should be.
  package static func ok(_ check: HealthCheck, _ what: String, of subject: String? = nil) -> Finding
  {
    Finding(
      check: check, severity: .ok, code: nil, what: what, subject: subject, line: nil, hint: "",
      isMendable: false)
  }

  /// Something worth knowing.
  package static func note(
    _ check: HealthCheck, _ what: String, of subject: String? = nil, line: Int? = nil,
    hint: String = "", isMendable: Bool = false
  ) -> Finding {
    Finding(
      check: check, severity: .note, code: nil, what: what, subject: subject, line: line,
      hint: hint, isMendable: isMendable)
  }

  /// Something wrong; the hint is the catalogue's unless given.
  package static func problem(
    _ check: HealthCheck, _ code: ErrorCode, _ what: String, of subject: String? = nil,
    line: Int? = nil, hint: String? = nil, isMendable: Bool = false
  ) -> Finding {
    Finding(
      check: check, severity: .problem, code: code, what: what, subject: subject, line: line,
      hint: hint ?? code.entry.hint, isMendable: isMendable)
  }

  /// A failure that ended a check; its words may name what is private.
  package static func failure(_ check: HealthCheck, _ error: any Error) -> Finding {
    let failure = Failure(error)
    return problem(
      check, failure.code, failure.code.entry.sentence, of: failure.summary, hint: failure.hint)
  }
}
