/// A failure that has a place in the catalogue; every error thrown between our modules is one.
package protocol CodedError: Error {
  /// The stable name of the failure.
  var code: ErrorCode { get }
  /// What failed first, lower case, no full stop, the subject in single quotes, no secrets.
  var summary: String { get }
  /// What to do next; the catalogue's hint unless something more exact is known.
  var hint: String { get }
  /// When trying again makes sense, where a server or a policy said so.
  var retryAt: Timestamp? { get }
}

extension CodedError {
  package var hint: String { code.entry.hint }
  package var retryAt: Timestamp? { nil }
}

/// A failure as data: what records, JSON and messages carry of an error.
package struct Failure: CodedError, Equatable {
  /// The stable name of the failure.
  package let code: ErrorCode
  /// What failed, with its subject.
  package let summary: String
  /// What to do next.
  package let hint: String
  /// When trying again makes sense, if known.
  package let retryAt: Timestamp?

  /// A failure with its own words; the hint is the catalogue's unless given.
  package init(
    _ code: ErrorCode, _ summary: String, hint: String? = nil, retryAt: Timestamp? = nil
  ) {
    self.code = code
    self.summary = summary
    self.hint = hint ?? code.entry.hint
    self.retryAt = retryAt
  }

  /// What is left of any error: a coded one as it is, anything else as a bug of ours.
  package init(_ error: any Error) {
    if let coded = error as? any CodedError {
      self.init(coded.code, coded.summary, hint: coded.hint, retryAt: coded.retryAt)
    } else {
      self.init(.internalError, "unexpected error: \(error)")
    }
  }

  /// Replaces each of the given texts in the summary by the form in which it may be shown.
  package func redacting(_ operands: [String]) -> Failure {
    var summary = summary
    for operand in operands where !operand.isEmpty {
      let shown = URLRedaction.redacted(operand: operand)
      if shown != operand { summary.replace(operand, with: shown) }
    }
    return Failure(code, summary, hint: hint, retryAt: retryAt)
  }

  /// The failure of text that has not the form of an id: `bad-id` unless another code is given.
  package static func notAnID(_ text: String, _ code: ErrorCode = .badID) -> Failure {
    Failure(
      code, "not an episode id: '\(URLRedaction.redacted(operand: text))'",
      hint: ErrorCode.badID.entry.hint)
  }

  /// The failure of an id or other operand that no episode has: `no-such-episode`.
  package static func noSuchEpisode(_ text: some CustomStringConvertible) -> Failure {
    let shown = URLRedaction.redacted(operand: text.description)
    return Failure(.noSuchEpisode, "no episode has the id '\(shown)'")
  }
}
