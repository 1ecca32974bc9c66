package import VmxModel

/// The outcome of one command for one item; a failure is a result too.
package enum Outcome: Sendable, Equatable {
  /// The command has done its work on the item.
  case done
  /// There was nothing to do. The hint says how to remove the obstacle, if there was one.
  case unchanged(hint: String?)
  /// The work continues by itself at a later time.
  case waiting(Failure)
  /// The command failed for this reason.
  case failed(Failure)

  /// The name in records.
  package var name: String {
    switch self {
    case .done: "done"
    case .unchanged: "unchanged"
    case .waiting: "waiting"
    case .failed: "failed"
    }
  }

  /// The failure, or the reason for waiting.
  package var failure: Failure? {
    switch self {
    case .done, .unchanged: nil
    case .waiting(let failure), .failed(let failure): failure
    }
  }

  /// Redacts each occurrence of an operand in the failure.
  func redacting(_ operand: String) -> Outcome {
    switch self {
    case .done, .unchanged: self
    case .waiting(let failure): .waiting(failure.redacting([operand]))
    case .failed(let failure): .failed(failure.redacting([operand]))
    }
  }
}
