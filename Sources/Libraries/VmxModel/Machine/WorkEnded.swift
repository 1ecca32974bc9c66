/// Ends the work on an episode without a failure; the state stays as recorded.
///
/// It has an error code nevertheless, for a tool that reports it for one of many rows.
package enum WorkEnded: CodedError, Equatable {
  /// The process was asked to stop.
  case interrupted
  /// The user wants something else now.
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
    case .interrupted: "the run was ended before it was done"
    case .wantChanged: "another process has changed the episode meanwhile"
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
