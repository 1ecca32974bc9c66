package import SystemPackage
package import VmxJobs
package import VmxModel

/// What was found of one file.
package struct VerificationResult: Sendable {
  /// The file as it was chosen.
  package let item: VerificationItem
  /// The answer; nil where there is none, as `failure` or the lack of one tells.
  package let answer: Verdict?
  /// The folder of its root, where that is there.
  package let root: FilePath?
  /// What differs, or why there is no answer.
  package let failure: Failure?
  /// Segments of 4 MiB whose bytes are wrong, from 0 on, as far as they are known.
  package let segments: [Int]
  /// Where it was found instead, below its root.
  package let newPath: String?
  /// What is to be recorded; nil where nothing new is known.
  package let verdict: MediaFinding.Verdict?
  /// When it was looked at.
  package let at: Timestamp
  /// How long its tracks play; nil where that was not asked for or is not known.
  package internal(set) var times: TrackTimes?
  /// The digests of segments that the sidecar lacks, empty where it lacks something else; nil where
  /// it is as it should be.
  var unsaved: [Digest]?
  /// `seq` of the record, once it says what was found.
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

  /// Where the file is, or should be.
  package var path: FilePath? { root?.appending(newPath ?? item.judged.path) }

  /// The finding for the record.
  var finding: MediaFinding? { verdict.map { item.finding($0, at: at) } }
}

/// Makes proofs; the one place with words for them.
struct ProofWriter: Sendable {
  let clock: any WallClock

  /// The file is what the record says.
  ///
  /// - Parameter byDigest: whether its bytes were compared, and not only their number.
  func intact(_ item: VerificationItem, _ root: MediaRoot, byDigest: Bool) -> VerificationResult {
    VerificationResult(
      item, .intact, root: root.folder, nil,
      verdict: byDigest ? .intact : nil, at: clock.now)
  }

  /// Nothing stands in its place.
  func missing(_ item: VerificationItem, _ root: MediaRoot) -> VerificationResult {
    let failure = Failure(
      .fileMissing, "\(item.subject) is not there: '\(root.folder.appending(item.judged.path))'")
    return VerificationResult(
      item, .missing, root: root.folder, failure, verdict: .missing,
      at: clock.now)
  }

  /// Other bytes stand in its place.
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

  /// Its container promises what is not there. Where its bytes are those of its digest, that is
  /// how they came, and the record has nothing to say of it.
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

  /// It stands elsewhere in its root.
  func moved(_ item: VerificationItem, _ root: MediaRoot, to path: String) -> VerificationResult {
    let failure = Failure(
      .fileMoved,
      "\(item.subject) is at another place now: '\(root.folder.appending(path))'")
    var proof = VerificationResult(
      item, .moved, root: root.folder, failure, newPath: path,
      verdict: .moved(to: path), at: clock.now)
    // The sidecar names the old place, and the NFO file stands there.
    proof.unsaved = []
    return proof
  }

  /// Its root is not there.
  func unreachable(_ item: VerificationItem, _ problem: any Error) -> VerificationResult {
    VerificationResult(
      item, .unreachable, root: nil, Failure(problem), at: clock.now)
  }

  /// It could not be looked at.
  func failed(_ item: VerificationItem, _ root: MediaRoot, _ problem: any Error)
    -> VerificationResult
  {
    VerificationResult(
      item, nil, root: root.folder, Failure(problem), at: clock.now)
  }

  /// Somebody else has it in work, or its record speaks of another file by now.
  func passedOver(_ item: VerificationItem, _ root: MediaRoot?) -> VerificationResult {
    VerificationResult(item, nil, root: root?.folder, nil, at: clock.now)
  }
}
