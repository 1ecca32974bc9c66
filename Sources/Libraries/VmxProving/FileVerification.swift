import Synchronization
import SystemPackage
import VmxDigest
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

/// A file whose segments are being proven, by as many workers as have nothing else to do.
final class FileVerification: Sendable {
  let item: VerificationItem
  let root: MediaRoot
  let file: OpenFile
  let size: Int64
  /// Whether the sidecar lacks something else than the segments.
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

  /// What all segments together say.
  enum End {
    case intact
    /// These segments are not what the list says, or could not be read.
    case wrong([Int], FileError?)
    /// It was told to stop.
    case abandoned
  }

  /// - Parameter claim: let go of once nobody works on the file.
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

  /// How many segments there are.
  var count: Int { list.count }

  /// Segments that nobody has taken yet; nil if there are none.
  func takeRun() -> Range<Int>? {
    state.withLock { state in
      guard state.next < list.count, !state.isAbandoned else { return nil }
      let run = state.next..<min(list.count, state.next + SegmentRun.length)
      state.next = run.upperBound
      return run
    }
  }

  /// Proves a run of segments; the end of all where this was the last.
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

  /// The segments of a run that are wrong, where all can be digested together; nil where not.
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

  /// Whether the whole has the recorded digest after all: then it is the list that is wrong. Nil
  /// if it was told to stop.
  ///
  /// - Parameter segments: gets the digests of the segments as they are.
  func wholeAgrees(
    _ reader: inout SegmentReader, _ segments: inout [Digest]?
  ) throws(FileError) -> Bool? {
    segments = []
    let found = try reader.digest(of: file, from: 0, size, resident, &segments)
    return found.map { $0 == item.judged.sha256 }
  }
}
