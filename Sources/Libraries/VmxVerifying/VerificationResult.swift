package import SystemPackage
package import VmxLibrary
package import VmxModel
import VmxStore

/// The result of the verification of one file.
package struct VerificationResult: Sendable {
  /// The file as it was selected.
  package private(set) var item: VerificationItem
  /// The verdict; nil if there is none. `failure` then gives the reason, or the file was skipped.
  package private(set) var verdict: Verdict?
  /// The folder of the root; nil if the root is unreachable.
  package let root: FilePath?
  /// The difference from the record, or the reason why there is no verdict.
  package private(set) var failure: Failure?
  /// The time of the verification.
  package let at: Timestamp
  /// The damaged segments of 4 MiB, counted from 0, as far as they are known.
  package internal(set) var segments: [Int] = []
  /// The path below the root where the file was found instead.
  package internal(set) var newPath: String?
  /// The verdict for the record; nil if nothing new is known.
  package internal(set) var recordVerdict: MediaFinding.Verdict?
  /// The durations of the tracks; nil if they were not requested or are not known.
  package internal(set) var times: TrackTimes?
  /// The digests of the segments that the sidecar lacks; empty if it lacks other data. Nil if the
  /// sidecar is up to date.
  var unsaved: [Digest]?
  /// The `seq` of the record; after the finding is recorded, of the new record.
  package internal(set) var rev: Int64

  fileprivate init(
    _ item: VerificationItem, _ verdict: Verdict?, root: MediaRoot?, failure: Failure?,
    recordVerdict: MediaFinding.Verdict? = nil, at moment: Timestamp
  ) {
    self.item = item
    self.verdict = verdict
    self.root = root?.folder
    self.failure = failure
    self.recordVerdict = recordVerdict
    at = moment
    rev = item.rev
  }

  /// Returns the result for the file that has replaced a broken one; nil if the episode has none.
  package func repaired(_ episode: EpisodeSummary) -> VerificationResult? {
    let items = VerificationItem.all(of: episode, named: item.part.name, received: item.received)
    guard let item = items.first else { return nil }
    var result = self
    result.set(item)
    return result
  }

  private mutating func set(_ item: VerificationItem) {
    (self.item, verdict, failure, recordVerdict) = (item, .intact, nil, .intact)
    (segments, unsaved, rev) = ([], nil, item.rev)
  }

  /// The finding for the record.
  var finding: MediaFinding? { recordVerdict.map { item.finding($0, at: at) } }
}

extension VerificationResult {
  /// The result for the row that the next tool reads. Without a verdict and a failure, another
  /// process has claimed the file, or its record has changed during the check.
  package var result: OperationResult {
    switch verdict {
    case .intact: .done
    case .damaged, .missing, .moved: failure.map { .failed($0) } ?? .done
    case .unreachable: failure.map { .waiting($0) } ?? .unchanged()
    case nil: failure.map { .failed($0) } ?? .unchanged()
    }
  }
}

// All messages of results are worded here.
extension FileVerifier {
  /// Returns the result for a file that matches its record.
  ///
  /// - Parameter byDigest: whether the digest was compared, instead of only the size.
  func intact(_ item: VerificationItem, _ root: MediaRoot, byDigest: Bool) -> VerificationResult {
    VerificationResult(
      item, .intact, root: root, failure: nil, recordVerdict: byDigest ? .intact : nil,
      at: clock.now)
  }

  /// Returns the result for a path without a file.
  func missing(_ item: VerificationItem, _ root: MediaRoot) -> VerificationResult {
    let failure = Failure(.fileMissing, "\(item.subject) is missing: '\(item.path(in: root))'")
    return VerificationResult(
      item, .missing, root: root, failure: failure, recordVerdict: .missing, at: clock.now)
  }

  /// Returns the result for a file whose bytes differ from the record.
  func damaged(
    _ item: VerificationItem, in root: MediaRoot, words: String, segments: [Int] = []
  ) -> VerificationResult {
    let failure = Failure(
      .fileDamaged, "\(item.subject) is damaged, \(words): '\(item.path(in: root))'")
    var result = VerificationResult(
      item, .damaged, root: root, failure: failure, recordVerdict: .damaged(words), at: clock.now)
    result.segments = segments
    return result
  }

  /// Returns the result for a file whose container refers to data that is absent. If its digest
  /// matches the record, the file was already fetched in this state, and the record is not changed.
  func broken(
    _ item: VerificationItem, in root: MediaRoot, words: String, hint: String? = nil
  ) -> VerificationResult {
    let failure = Failure(
      .mediaBroken, "\(item.subject) \(words): '\(item.path(in: root))'", hint: hint)
    return VerificationResult(
      item, .damaged, root: root, failure: failure,
      recordVerdict: item.recordedFile.sha256 == nil ? .broken(words) : nil,
      at: clock.now)
  }

  /// Returns the result for a file that is intact or has no digest, with the durations of its
  /// tracks.
  func timed(_ item: VerificationItem, in root: MediaRoot, times: TrackTimes) -> VerificationResult
  {
    var result = intact(item, root, byDigest: item.recordedFile.sha256 != nil)
    if let defect = times.defect {
      let hint =
        "check whether it plays to its end; if it does, correct the duration with "
        + "'vmx add --duration'"
      result = broken(item, in: root, words: defect, hint: times.differing.isEmpty ? nil : hint)
    }
    result.times = times
    return result
  }

  /// Returns the result for a file whose track durations ffprobe could not determine. A file whose
  /// digest was verified is intact nevertheless.
  func unprobed(_ item: VerificationItem, in root: MediaRoot, words: String) -> VerificationResult {
    let failure = Failure(.programFailed, "ffprobe failed for \(item.subject): it \(words)")
    return VerificationResult(
      item, nil, root: root, failure: failure,
      recordVerdict: item.recordedFile.sha256 == nil ? nil : .intact, at: clock.now
    )
  }

  /// Returns the result for a file that was found at another path of its root.
  func moved(_ item: VerificationItem, _ root: MediaRoot, to path: String) -> VerificationResult {
    let failure = Failure(
      .fileMoved, "\(item.subject) has moved to: '\(root.folder.appending(path))'")
    var result = VerificationResult(
      item, .moved, root: root, failure: failure, recordVerdict: .moved(to: path), at: clock.now)
    result.newPath = path
    // The sidecar has the old path, and the NFO file is still at the old path.
    result.unsaved = []
    return result
  }

  /// Returns the result for a file whose root is unreachable.
  func unreachable(_ item: VerificationItem, _ problem: any Error) -> VerificationResult {
    VerificationResult(item, .unreachable, root: nil, failure: Failure(problem), at: clock.now)
  }

  /// Returns the result for a file that could not be inspected.
  func failed(
    _ item: VerificationItem, in root: MediaRoot, problem: any Error
  ) -> VerificationResult {
    VerificationResult(item, nil, root: root, failure: Failure(problem), at: clock.now)
  }

  /// Returns the result for a file that was skipped: another process has claimed its episode, or
  /// the record now names another file.
  func skipped(_ item: VerificationItem, _ root: MediaRoot?) -> VerificationResult {
    VerificationResult(item, nil, root: root, failure: nil, at: clock.now)
  }
}

extension VerificationItem {
  /// The name of the file in messages.
  fileprivate var subject: String { "'\(part.name)' of '\(id)'" }

  fileprivate func path(in root: MediaRoot) -> FilePath { root.folder.appending(recordedFile.path) }
}

extension TrackTimes {
  /// The maximum number of tracks that a message lists.
  private static let maxNamed = 3

  /// Describes the defect of the tracks of a video; nil if there is none.
  fileprivate var defect: String? {
    guard !tracks.isEmpty else { return "has neither video nor audio according to ffprobe" }
    guard let declared, !differing.isEmpty else { return nil }
    let named = differing.prefix(Self.maxNamed).map { track in
      let article = track.kind == .audio ? "an" : "a"
      return
        "\(article) \(track.kind.rawValue) track of \(PlayingTime.text(of: track.duration ?? 0))"
    }
    let more = differing.count > named.count ? " and more" : ""
    let all = named.joined(separator: " and ") + more
    return "has \(all) instead of \(PlayingTime.text(of: declared)) (declared)"
  }
}

extension SegmentVerification {
  /// The maximum number of ranges in a message; more are not useful if the whole file is damaged.
  private static let maxRanges = 8

  /// Returns numbers of segments, which must be in ascending order, as ranges: `3-5, 9`.
  static func ranges(of segments: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for segment in segments {
      if let last = ranges.last, last.upperBound + 1 == segment {
        ranges[ranges.count - 1] = last.lowerBound...segment
      } else {
        ranges.append(segment...segment)
      }
    }
    let words = ranges.prefix(maxRanges).map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
    return words.joined(separator: ", ") + (ranges.count > maxRanges ? " and more" : "")
  }

  /// Describes the damage of a file that has `count` segments.
  static func message(forDamaged segments: [Int], of count: Int) -> String {
    guard count > 1 else { return "different bytes" }
    let isOne = segments.count == 1
    let ranges = ranges(of: segments)
    return "\(isOne ? "segment" : "segments") \(ranges) of 0-\(count - 1) "
      + (isOne ? "differs" : "differ")
  }
}
