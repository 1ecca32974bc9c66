/// An error with a code in the catalogue; every error thrown between vmx modules conforms to it.
package protocol CodedError: Error {
  /// The stable name of the failure.
  var code: ErrorCode { get }
  /// The failure with its subject in single quotes: lower case, no full stop, no secrets.
  var summary: String { get }
  /// The next step for the user; the catalogue's hint unless a more exact one is known.
  var hint: String { get }
  /// The time at which a retry makes sense, if a server or a policy set one.
  var retryAt: Timestamp? { get }
}

extension CodedError {
  package var hint: String { code.entry.hint }
  package var retryAt: Timestamp? { nil }
}

/// An error as a value, for records, JSON and messages.
package struct Failure: CodedError, Equatable {
  /// The stable name of the failure.
  package let code: ErrorCode
  /// The failure, with its subject.
  package let summary: String
  /// The next step for the user.
  package let hint: String
  /// The time at which a retry makes sense, if known.
  package let retryAt: Timestamp?

  /// Creates a failure with its own summary; the hint is the catalogue's unless given.
  package init(
    _ code: ErrorCode, _ summary: String, hint: String? = nil, retryAt: Timestamp? = nil
  ) {
    self.code = code
    self.summary = summary
    self.hint = hint ?? code.entry.hint
    self.retryAt = retryAt
  }

  /// Converts any error: keeps the code of a coded error and maps any other to `internal-error`.
  package init(_ error: any Error) {
    if let coded = error as? any CodedError {
      self.init(coded.code, coded.summary, hint: coded.hint, retryAt: coded.retryAt)
    } else {
      self.init(.internalError, "unexpected error: \(error)")
    }
  }

  /// Returns the failure of an item: a hint of the catalogue has the id of the episode in place of
  /// `ID`.
  package func about(_ id: String) -> Failure {
    guard hint == code.entry.hint, let id = EpisodeID(valid: id) else { return self }
    return Failure(code, summary, hint: code.entry.hint(for: id), retryAt: retryAt)
  }

  /// The failure of bytes that came from a local file: a hint of the catalogue about their URL is
  /// replaced.
  package var ofFile: Failure {
    guard hint == code.entry.hint, let hint = SourceAdvice.file(for: code) else { return self }
    return Failure(code, summary, hint: hint, retryAt: retryAt)
  }

  /// Replaces each of the given texts in the summary by its redacted form.
  package func redacting(_ operands: [String]) -> Failure {
    var summary = summary
    for operand in operands where !operand.isEmpty {
      let shown = URLRedaction.redacted(operand: operand)
      if shown != operand { summary.replace(operand, with: shown) }
    }
    return Failure(code, summary, hint: hint, retryAt: retryAt)
  }

  /// Creates the failure for a malformed id: `bad-id` unless another code is given.
  package static func notAnID(_ text: String, _ code: ErrorCode = .badID) -> Failure {
    Failure(
      code, "not an episode id: '\(URLRedaction.redacted(operand: text))'",
      hint: ErrorCode.badID.entry.hint)
  }

  /// Creates the failure for an episode that another process has claimed: `lock-busy`.
  ///
  /// - Parameter hint: the next step; nil for that of the catalogue.
  package static func inUse(_ id: EpisodeID, hint: String? = nil) -> Failure {
    Failure(.lockBusy, "another process is working on '\(id)'", hint: hint)
  }

  /// Creates the failure for an id or operand that matches no episode: `no-such-episode`.
  package static func noSuchEpisode(_ text: some CustomStringConvertible) -> Failure {
    let shown = URLRedaction.redacted(operand: text.description)
    return Failure(.noSuchEpisode, "no episode has the id '\(shown)'")
  }
}

/// Ends the work on an episode without a failure; the recorded state is not changed.
///
/// It carries an error code so that a batch can report it for one row.
package enum WorkEnded: CodedError, Equatable {
  /// The process was asked to stop.
  case interrupted
  /// The user's request has changed.
  case wantChanged
  /// The run has reached one of its own limits, named by the failure.
  case postponed(Failure)

  package var code: ErrorCode {
    switch self {
    case .interrupted: .interrupted
    case .wantChanged: .lockBusy
    case .postponed(let failure): failure.code
    }
  }

  package var summary: String {
    switch self {
    case .interrupted: "interrupted"
    case .wantChanged: "another process changed the episode"
    case .postponed(let failure): failure.summary
    }
  }

  package var hint: String {
    switch self {
    case .interrupted, .wantChanged: "run the command again"
    case .postponed(let failure): failure.hint
    }
  }
}

extension Error {
  /// Whether it only reports that the process was asked to stop.
  package var isInterruption: Bool {
    self as? WorkEnded == .interrupted || (self as? any CodedError)?.code == .interrupted
  }
}
