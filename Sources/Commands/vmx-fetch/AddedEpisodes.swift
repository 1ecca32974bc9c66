import Synchronization
import VmxModel
import VmxRemoving

// A mistyped URL would otherwise be tried by every later run. The removal is a step of its own, so
// `vmx undo` brings the episode back.

/// The episodes that `vmx fetch URL` has added in this run. Those with wrong URLs are not kept.
final class AddedEpisodes: Sendable {
  private let ids = Mutex<Set<EpisodeID>>([])
  private let wrong = Mutex<[EpisodeID]>([])

  /// Adds an episode that was new.
  func insert(_ id: EpisodeID) { _ = ids.withLock { $0.insert(id) } }

  /// Returns the result to report for an episode, with the notes that follow it.
  func result(of result: EpisodeResult) -> (OperationResult, notes: [String]) {
    guard ids.withLock({ $0.contains(result.id) }), let failure = result.result.failure,
      result.episode?.video?.path == nil
    else { return (result.result, []) }
    guard case .failed = result.result, failure.code.isOfWrongURL else {
      let id = result.id
      return (result.result, ["'\(id)' stays in the queue; 'vmx rm \(id)' forgets it"])
    }
    wrong.withLock { $0.append(result.id) }
    let hint = failure.hint.contains("\(result.id)") ? "check the URL" : failure.hint
    return (
      .failed(Failure(failure.code, failure.summary, hint: hint)),
      ["'\(result.id)' was not kept, since its URL gave no video"]
    )
  }

  /// Removes the records of the episodes whose URLs are wrong.
  ///
  /// - Throws: as `EpisodeRemover.remove`.
  func forgetWrong(by remover: EpisodeRemover) throws {
    let ids = wrong.withLock { $0 }
    guard !ids.isEmpty else { return }
    let order = RemovalOrder(.byHand, "its URL gave no video", forgets: true)
    for result in try remover.remove(ids, order) {
      if let failure = result.result.failure { throw failure }
    }
  }
}

extension ErrorCode {
  /// Whether the failure of a URL that never worked shows that it is not the URL of a video.
  fileprivate var isOfWrongURL: Bool {
    switch self {
    case .httpGone, .httpRefused, .notMedia, .emptyBody, .sourceUnsupported, .redirectLoop,
      .redirectRefused, .addressRefused:
      true
    default: false
    }
  }
}
