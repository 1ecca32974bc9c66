package import SystemPackage
package import VmxLibrary
package import VmxModel

/// The result of the verification of one file.
package struct VerificationResult: Sendable {
  /// The file as it was selected.
  package let item: VerificationItem
  /// The verdict; nil if there is none. `failure` then gives the reason, or the file was skipped.
  package let answer: Verdict?
  /// The folder of the root; nil if the root is unreachable.
  package let root: FilePath?
  /// The difference from the record, or the reason why there is no verdict.
  package let failure: Failure?
  /// The damaged segments of 4 MiB, counted from 0, as far as they are known.
  package let segments: [Int]
  /// The path below the root where the file was found instead.
  package let newPath: String?
  /// The verdict for the record; nil if nothing new is known.
  package let verdict: MediaFinding.Verdict?
  /// The time of the verification.
  package let at: Timestamp
  /// The durations of the tracks; nil if they were not requested or are not known.
  package internal(set) var times: TrackTimes?
  /// The digests of the segments that the sidecar lacks; empty if it lacks other data. Nil if the
  /// sidecar is up to date.
  var unsaved: [Digest]?
  /// The `seq` of the record; after the finding is recorded, of the new record.
  package internal(set) var rev: Int64

  init(
    _ item: VerificationItem, _ answer: Verdict?, root: FilePath?, _ failure: Failure?,
    segments: [Int] = [], newPath: String? = nil, verdict: MediaFinding.Verdict? = nil,
    at moment: Timestamp
  ) {
    self.item = item
    self.answer = answer
    self.root = root
    self.failure = failure
    self.segments = segments
    self.newPath = newPath
    self.verdict = verdict
    at = moment
    rev = item.rev
  }

  /// The path where the file is, or should be.
  package var path: FilePath? { root?.appending(newPath ?? item.judged.path) }

  /// The finding for the record.
  var finding: MediaFinding? { verdict.map { item.finding($0, at: at) } }
}

/// Creates results; the only place that words their messages.
struct ProofWriter: Sendable {
  let clock: any WallClock

  /// Returns the result for a file that is as recorded.
  ///
  /// - Parameter byDigest: whether the digest was compared, and not only the size.
  func intact(_ item: VerificationItem, _ root: MediaRoot, byDigest: Bool) -> VerificationResult {
    VerificationResult(
      item, .intact, root: root.folder, nil,
      verdict: byDigest ? .intact : nil, at: clock.now)
  }

  /// Returns the result for a path without a file.
  func missing(_ item: VerificationItem, _ root: MediaRoot) -> VerificationResult {
    let failure = Failure(
      .fileMissing, "\(item.subject) is not there: '\(root.folder.appending(item.judged.path))'")
    return VerificationResult(
      item, .missing, root: root.folder, failure, verdict: .missing,
      at: clock.now)
  }

  /// Returns the result for a file whose bytes differ from the record.
  func damaged(
    _ item: VerificationItem, _ root: MediaRoot, _ words: String, segments: [Int] = []
  ) -> VerificationResult {
    let failure = Failure(
      .fileDamaged,
      "\(item.subject) is damaged, \(words): '\(root.folder.appending(item.judged.path))'")
    return VerificationResult(
      item, .damaged, root: root.folder, failure, segments: segments,
      verdict: .damaged(words), at: clock.now)
  }

  /// Returns the result for a file whose container refers to data that is absent. If its digest is
  /// as recorded, the file was already fetched like that, and the record does not change.
  func broken(
    _ item: VerificationItem, _ root: MediaRoot, _ words: String, hint: String? = nil
  ) -> VerificationResult {
    let failure = Failure(
      .mediaBroken, "\(item.subject) \(words): '\(root.folder.appending(item.judged.path))'",
      hint: hint)
    return VerificationResult(
      item, .damaged, root: root.folder, failure,
      verdict: item.judged.sha256 == nil ? .damaged(words) : nil, at: clock.now)
  }

  /// Returns the result for a file that was found at another path of its root.
  func moved(_ item: VerificationItem, _ root: MediaRoot, to path: String) -> VerificationResult {
    let failure = Failure(
      .fileMoved,
      "\(item.subject) is at another place now: '\(root.folder.appending(path))'")
    var proof = VerificationResult(
      item, .moved, root: root.folder, failure, newPath: path,
      verdict: .moved(to: path), at: clock.now)
    // The sidecar names the old path, and the NFO file is still at the old path.
    proof.unsaved = []
    return proof
  }

  /// Returns the result for a file whose root is unreachable.
  func unreachable(_ item: VerificationItem, _ problem: any Error) -> VerificationResult {
    VerificationResult(
      item, .unreachable, root: nil, Failure(problem), at: clock.now)
  }

  /// Returns the result for a file that could not be inspected.
  func failed(_ item: VerificationItem, _ root: MediaRoot, _ problem: any Error)
    -> VerificationResult
  {
    VerificationResult(
      item, nil, root: root.folder, Failure(problem), at: clock.now)
  }

  /// Returns the result for a file that was skipped: another process has claimed its episode, or
  /// the record now names another file.
  func passedOver(_ item: VerificationItem, _ root: MediaRoot?) -> VerificationResult {
    VerificationResult(item, nil, root: root?.folder, nil, at: clock.now)
  }
}
