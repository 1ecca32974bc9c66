import VmxDigest
import VmxModel

/// The digests of incomplete segments, one for each offset at which bytes arrive.
///
/// With several connections, bytes arrive at several offsets in turn. Each has its own run, so that
/// no run has to be read back after a write elsewhere.
struct SegmentRuns {
  /// The maximum number of runs: one for each connection that a part may have, and one more.
  static let limit = 17

  /// The runs, the least recently written first.
  private var runs: [SegmentRun] = []

  /// Whether bytes at an offset can be hashed from memory.
  func follow(_ offset: Int64) -> Bool {
    runs.contains { $0.offset == offset }
  }

  /// Begins a run in a segment.
  ///
  /// - Parameter before: the bytes of the segment before the first one to arrive.
  mutating func begin(in index: Int, after before: [UInt8]) {
    if runs.count >= Self.limit { runs.removeFirst() }
    let run = SegmentRun(index)
    before.withUnsafeBytes { _ = run.update($0) }
    runs.append(run)
  }

  /// Adds bytes to the run at their offset, if there is one.
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

  /// Discards all runs, because their bytes are no longer held.
  mutating func removeAll() {
    runs = []
  }
}

/// One run of consecutive bytes.
// A class, because an array cannot hold noncopyable values.
private final class SegmentRun {
  private var digests: SegmentDigests
  private var told = 0

  /// Creates a run at the start of a segment.
  init(_ index: Int) {
    digests = SegmentDigests(firstIndex: index)
  }

  /// The offset of the next byte.
  var offset: Int64 { digests.offset }

  /// Adds the bytes at `offset`; returns the segments they complete.
  func update(_ bytes: UnsafeRawBufferPointer) -> [(index: Int, digest: Digest)] {
    digests.update(bytes)
    guard digests.completed.count > told else { return [] }
    defer { told = digests.completed.count }
    return (told..<digests.completed.count).map {
      (digests.firstIndex + $0, digests.completed[$0])
    }
  }
}
