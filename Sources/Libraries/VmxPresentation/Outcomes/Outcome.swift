package import VmxModel

/// What became of one item in one tool; failures are data, not gaps.
package enum Outcome: Sendable, Equatable {
  /// It is as the tool was to make it.
  case done
  /// There was nothing to do; the hint says how to lift what stood against it, if anything did.
  case unchanged(hint: String?)
  /// It goes on by itself once its time has come.
  case waiting(Failure)
  /// It failed for this reason.
  case failed(Failure)

  /// The word in records.
  package var name: String {
    switch self {
    case .done: "done"
    case .unchanged: "unchanged"
    case .waiting: "waiting"
    case .failed: "failed"
    }
  }

  /// What failed, or what it waits for.
  package var failure: Failure? {
    switch self {
    case .done, .unchanged: nil
    case .waiting(let failure), .failed(let failure): failure
    }
  }

  /// The outcome with each occurrence of an operand in its failure as it may be shown.
  func redacting(_ operand: String) -> Outcome {
    switch self {
    case .done, .unchanged: self
    case .waiting(let failure): .waiting(failure.redacting([operand]))
    case .failed(let failure): .failed(failure.redacting([operand]))
    }
  }
}
