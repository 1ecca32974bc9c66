import Synchronization
import VmxLibrary
import VmxModel
import VmxRemoving
import VmxSystem

// A mistyped URL would otherwise be tried by every later run. The removal is a step of its own, so
// `vmx undo` brings the episode back.

/// The episodes that `vmx fetch URL` has added in this run. Those with wrong URLs are not kept.
final class AddedEpisodes: Sendable {
  private let ids = Mutex<Set<EpisodeID>>([])
  private let wrong = Mutex<[EpisodeID]>([])

  /// Adds an episode that was new.
  func insert(_ id: EpisodeID) { _ = ids.withLock { $0.insert(id) } }

  /// Returns the result to report for an episode, with a note on how to forget one that failed.
  ///
  /// - Throws: errors of the store and the file system.
  func result(
    of result: EpisodeResult, in mediaRoots: MediaRoots
  ) throws -> (OperationResult, note: String?) {
    let id = result.id
    guard case .failed(let failure) = result.result, ids.withLock({ $0.contains(id) }) else {
      return (result.result, nil)
    }
    guard failure.code.isOfWrongURL, try !holdsBytes(result.episode, in: mediaRoots) else {
      return (result.result, "'\(id)' stays in the queue; 'vmx rm \(id)' forgets it")
    }
    wrong.withLock { $0.append(id) }
    let hint = failure.hint.contains("\(id)") ? "check the URL" : failure.hint
    return (.failed(Failure(failure.code, failure.summary, hint: hint)), nil)
  }

  /// Removes the records of the episodes whose URLs are wrong.
  ///
  /// - Returns: a note for each.
  /// - Throws: as `EpisodeRemover.remove`.
  func forgetWrong(by remover: EpisodeRemover) throws -> [String] {
    let ids = wrong.withLock { $0 }
    guard !ids.isEmpty else { return [] }
    let options = RemovalOptions(.byHand, "its URL gave no video", removesRecord: true)
    return try remover.remove(ids, options).map { result in
      guard let failure = result.result.failure else {
        return "'\(result.id)' was not kept, since its URL gave no video"
      }
      return "'\(result.id)' stays in the queue: \(failure.summary)"
    }
  }

  /// Whether a file of the video exists, complete or not, or with bytes that were put aside.
  private func holdsBytes(_ episode: Episode?, in mediaRoots: MediaRoots) throws -> Bool {
    guard let video = episode?.video, video.path == nil, let episode else { return true }
    return try mediaRoots.presentRoots().contains { root in
      let files = PartFiles(root: root.folder, episode: episode.id, part: video)
      return try [files.partial, files.rejectedFile].contains { file in
        try RegularFile.size(of: file).map { $0.bytes > 0 } ?? false
      }
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
