import Synchronization
import SystemPackage
import VmxDigest
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

/// A file whose segments are verified in parallel by all workers that are idle.
final class FileVerification: Sendable {
  let item: VerificationItem
  let root: MediaRoot
  let file: OpenFile
  let size: Int64
  /// Whether the sidecar lacks anything other than the segment digests.
  let isOutdated: Bool
  private let list: [Digest]
  private let claim: Claim
  private let resident: ResidentPieces
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var ended = 0
    var wrong: [Int] = []
    var problem: FileError?
    var isAbandoned = false
  }

  /// The combined result of all segments.
  enum End {
    case intact
    /// These segments differ from the sidecar's list, or could not be read.
    case wrong([Int], FileError?)
    /// The run was cancelled.
    case abandoned
  }

  /// - Parameter claim: released when the last worker drops its reference to this object.
  init(
    _ item: VerificationItem, in root: MediaRoot, _ file: consuming OpenFile, size: Int64,
    against list: [Digest], isOutdated: Bool, claim: Claim
  ) {
    self.isOutdated = isOutdated
    self.item = item
    self.root = root
    self.size = size
    self.list = list
    self.claim = claim
    resident = ResidentPieces(of: file, size: size, pieceSize: SegmentList.segmentSize)
    self.file = file
  }

  /// The number of segments.
  var count: Int { list.count }

  /// Returns the next range of segments that no worker has started; nil if none is left.
  func takeRun() -> Range<Int>? {
    state.withLock { state in
      guard state.next < list.count, !state.isAbandoned else { return nil }
      let run = state.next..<min(list.count, state.next + SegmentRun.length)
      state.next = run.upperBound
      return run
    }
  }

  /// Verifies a range of segments. Returns the combined result if this was the last range, else
  /// nil.
  func prove(_ run: Range<Int>, _ reader: inout SegmentReader) -> End? {
    if let wrong = wrongSideBySide(run, &reader) { return ended(run, wrong) }
    var wrong: [Int] = []
    var problem: FileError?
    var isStopped = false
    for segment in run where !isStopped {
      let start = Int64(segment) * SegmentList.segmentSize
      do throws(FileError) {
        let length = min(SegmentList.segmentSize, size - start)
        let found = try reader.digest(of: file, from: start, length, resident)
        isStopped = found == nil
        if found != list[segment] { wrong.append(segment) }
      } catch {
        wrong.append(segment)
        problem = error
      }
    }
    return ended(run, wrong, problem, isStopped: isStopped)
  }

  /// Returns the segments of a range that are wrong, from one multi-buffer SHA-256 pass; nil if the
  /// range does not allow such a pass.
  private func wrongSideBySide(_ run: Range<Int>, _ reader: inout SegmentReader) -> [Int]? {
    guard MultiBufferSHA256.isWorthwhile, run.count == MultiBufferSHA256.count,
      Int64(run.upperBound) * SegmentList.segmentSize <= size,
      let found = reader.digests(of: file, run, resident)
    else { return nil }
    return zip(run, found).filter { list[$0] != $1 }.map(\.0)
  }

  private func ended(
    _ run: Range<Int>, _ wrong: [Int], _ problem: FileError? = nil, isStopped: Bool = false
  ) -> End? {
    state.withLock { state in
      state.ended += run.count
      state.wrong += wrong
      state.problem = state.problem ?? problem
      state.isAbandoned = state.isAbandoned || isStopped
      guard state.isAbandoned ? state.ended == state.next : state.ended == list.count else {
        return nil
      }
      if state.isAbandoned { return .abandoned }
      return state.wrong.isEmpty ? .intact : .wrong(state.wrong.sorted(), state.problem)
    }
  }

  /// Whether the whole file has the recorded digest; in that case the list of segments is wrong.
  /// Nil if the run was cancelled.
  ///
  /// - Parameter segments: receives the computed digests of the segments.
  func wholeAgrees(
    _ reader: inout SegmentReader, _ segments: inout [Digest]?
  ) throws(FileError) -> Bool? {
    segments = []
    let found = try reader.digest(of: file, from: 0, size, resident, &segments)
    return found.map { $0 == item.judged.sha256 }
  }
}
