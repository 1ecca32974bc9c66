/// What the runner makes of a failure.
package enum RetryClass: Sendable, Equatable {
  /// Trying again as it is cannot help: the part becomes `failed`.
  case never
  /// May pass by itself: `failed` once the attempts are used up, and due again in the next run.
  case later
  /// A policy or a condition holds it back: the part becomes `waiting` for this reason.
  case wait(WaitReason)

  /// One word, for JSON and the manual.
  package var name: String {
    switch self {
    case .never: "never"
    case .later: "later"
    case .wait: "wait"
    }
  }
}
