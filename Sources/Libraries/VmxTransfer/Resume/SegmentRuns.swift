import VmxDigest
import VmxModel

/// The digests of segments that are being written, one for each place at which bytes flow in.
///
/// With several connections bytes come at several places by turns; each place has a run of its
/// own, so that none has to be read back because another one was written to in between.
struct SegmentRuns {
  /// Runs kept at most: one for each connection that a part may have, and one more.
  static let limit = 17

  /// The place least recently written to comes first.
  private var runs: [SegmentRun] = []

  /// Whether bytes at an offset can be digested from memory.
  func follow(_ offset: Int64) -> Bool {
    runs.contains { $0.offset == offset }
  }

  /// Begins a run in a segment.
  ///
  /// - Parameter before: the bytes of the segment before the first that will come.
  mutating func begin(in index: Int, after before: [UInt8]) {
    if runs.count >= Self.limit { runs.removeFirst() }
    let run = SegmentRun(index)
    before.withUnsafeBytes { _ = run.update($0) }
    runs.append(run)
  }

  /// Feeds bytes to the run that has come to their offset; none, if no run has.
  ///
  /// - Returns: the segments they complete, by index.
  mutating func update(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) -> [(index: Int, digest: Digest)] {
    guard let place = runs.firstIndex(where: { $0.offset == offset }) else { return [] }
    let run = runs[place]
    if place != runs.count - 1 { runs.append(runs.remove(at: place)) }
    return run.update(bytes)
  }

  /// Forgets all runs: what they digested is held no more.
  mutating func removeAll() {
    runs = []
  }
}

/// One run of bytes that follow each other.
// A class, because an array takes no values that cannot be copied.
private final class SegmentRun {
  private var digests: SegmentDigests
  private var told = 0

  /// A run that begins at the start of a segment.
  init(_ index: Int) {
    digests = SegmentDigests(firstIndex: index)
  }

  /// Offset of the next byte it takes.
  var offset: Int64 { digests.offset }

  /// Feeds the bytes at `offset`; the segments they complete.
  func update(_ bytes: UnsafeRawBufferPointer) -> [(index: Int, digest: Digest)] {
    digests.update(bytes)
    guard digests.completed.count > told else { return [] }
    defer { told = digests.completed.count }
    return (told..<digests.completed.count).map {
      (digests.firstIndex + $0, digests.completed[$0])
    }
  }
}
