/// How the runner treats a failure.
package enum RetryClass: Sendable, Equatable {
  /// A retry cannot help: the part becomes `failed`.
  case never
  /// Temporary: `failed` once the attempts are used up, and due again in the next run.
  case later
  /// A policy or condition blocks it: the part becomes `waiting` for this reason.
  case wait(WaitReason)

  /// The name of the class as one word, for JSON and the manual.
  package var name: String {
    switch self {
    case .never: "never"
    case .later: "later"
    case .wait: "wait"
    }
  }
}
