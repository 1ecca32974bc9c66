/// The result of an operation for one item; a failure is a result too.
package enum OperationResult: Sendable, Equatable {
  /// The operation has changed the item.
  case done
  /// There was nothing to do. The hint says how to remove the obstacle, if there was one.
  case unchanged(UnchangedReason = .upToDate, hint: String? = nil)
  /// The operation continues by itself at a later time.
  case waiting(Failure)
  /// The operation failed for this reason.
  case failed(Failure)
  /// The operation would change the item; only a plan was requested.
  case planned

  /// Creates the result of an operation that a failure has ended: `waiting` for a condition that
  /// ends by itself or a lock of another process, else `failed`.
  package init(_ failure: Failure) {
    if case .wait = failure.code.entry.retry {
      self = .waiting(failure)
    } else {
      self = failure.code == .lockBusy ? .waiting(failure) : .failed(failure)
    }
  }

  /// Creates the result of an operation that has succeeded.
  package init(isChanged: Bool) {
    self = isChanged ? .done : .unchanged()
  }

  /// The name in records.
  package var name: String {
    switch self {
    case .done: "done"
    case .unchanged: "unchanged"
    case .waiting: "waiting"
    case .failed: "failed"
    case .planned: "planned"
    }
  }

  /// The failure, or the reason for waiting.
  package var failure: Failure? {
    switch self {
    case .done, .unchanged, .planned: nil
    case .waiting(let failure), .failed(let failure): failure
    }
  }

  /// The reason why nothing was changed; nil for other results.
  package var reason: UnchangedReason? {
    if case .unchanged(let reason, _) = self { reason } else { nil }
  }

  /// Redacts each occurrence of an operand in the failure.
  package func redacting(_ operand: String) -> OperationResult {
    mapFailure { $0.redacting([operand]) }
  }

  /// Returns the result with its failure, if any, replaced by the result of a closure.
  package func mapFailure(_ transform: (Failure) -> Failure) -> OperationResult {
    switch self {
    case .done, .unchanged, .planned: self
    case .waiting(let failure): .waiting(transform(failure))
    case .failed(let failure): .failed(transform(failure))
    }
  }
}

/// The reason why an operation left an item unchanged; the raw value is `reason` in its row.
package enum UnchangedReason: String, Sendable, CaseIterable {
  /// The item already is as requested.
  case upToDate = "up-to-date"
  /// The episode has no file of the requested kind yet.
  case noFile = "no-file"
  /// The other program does not have the episode.
  case notThere = "not-there"
  /// The episode has none of the requested parts.
  case noPart = "no-part"
  /// The episode is ready in another quality.
  case otherQuality = "other-quality"
  /// Another worker holds the claim.
  case inWork = "in-work"
  /// No worker holds the claim.
  case notInWork = "not-in-work"
  /// No rule selects the episode.
  case notChosen = "not-chosen"
  /// The user has put the episode on hold.
  case onHold = "on-hold"
  /// The user has not requested the episode.
  case notWanted = "not-wanted"
  /// The library has other bytes of the episode.
  case otherBytes = "other-bytes"
  /// It is uncertain which episode the file belongs to, or whether its bytes are complete.
  case doubtful
  /// The user has removed the episode.
  case gone

  /// The meaning as one phrase, for the manual.
  package var phrase: String {
    switch self {
    case .upToDate: "already as requested"
    case .noFile: "no such file yet"
    case .notThere: "not found in the other program"
    case .noPart: "none of the requested parts"
    case .otherQuality: "ready in another quality; a ready file is not replaced"
    case .inWork: "in progress in another worker"
    case .notInWork: "not in progress"
    case .notChosen: "not selected by any rule"
    case .onHold: "on hold"
    case .notWanted: "not wanted"
    case .otherBytes: "the library has different bytes, and keeps them"
    case .doubtful: "uncertain identity; the file is not moved"
    case .gone: "removed by the user"
    }
  }
}

/// The result of an operation for one episode.
package struct EpisodeResult: Sendable {
  /// The id of the episode, or the id that was requested.
  package let id: EpisodeID
  /// The result.
  package let result: OperationResult
  /// The episode as recorded after the operation; nil if there is none or it could not be read.
  package let episode: Episode?
  /// The wait after which the same run may continue with the episode; nil if there is none.
  package var pause: WorkPause?
  /// Messages about side effects, such as a sidecar that could not be written.
  package var notes: [String]

  /// Whether the operation ended early because the process was asked to stop.
  package var wasInterrupted: Bool { result.failure?.code == .interrupted }

  /// Creates the result of an episode.
  package init(
    _ id: EpisodeID, _ result: OperationResult, episode: Episode? = nil, notes: [String] = []
  ) {
    self.id = id
    self.result = result
    self.episode = episode
    self.notes = notes
  }

  /// Creates the result for a recorded episode.
  package init(_ episode: Episode, _ result: OperationResult) {
    self.init(episode.id, result, episode: episode)
  }
}

/// A wait for a server within a run, after which the work on an episode continues.
package struct WorkPause: Sendable, Equatable {
  /// The length of the wait.
  package let milliseconds: Int64
  /// Whether a server has refused the episode; else it only waits for its turn.
  package let isRefusal: Bool
  /// The record of the episode before the run began to process it.
  package let before: Episode
  /// Whether the next request may still override a server's rate limit, as the user requested.
  package let ignoresRetryAfter: Bool

  /// Creates a wait.
  package init(
    milliseconds: Int64, isRefusal: Bool, before: Episode, ignoresRetryAfter: Bool = false
  ) {
    self.milliseconds = milliseconds
    self.isRefusal = isRefusal
    self.before = before
    self.ignoresRetryAfter = ignoresRetryAfter
  }
}
