import VmxModel

/// Which held bytes are fetched again to prove that a source is still the one they came from.
///
/// Without a strong validator that is all there is: the first and the last 64 KiB held must come
/// again the same. A block that is a run of one byte proves nothing, since many files have such
/// runs, so the nearest block that is none stands in for it.
struct OverlapProbe: Sendable, Equatable {
  /// Bytes in a block.
  static let blockSize: Int64 = 64 * 1024

  /// The block near the start.
  let first: ByteRange
  /// Blocks between the two, where more proof is wanted.
  let middle: [ByteRange]
  /// The block near the end; fetching goes on behind it, so what was held after it is dropped.
  let last: ByteRange

  /// Chooses the blocks; nil if so little is held, or so uniform, that starting over is better.
  ///
  /// - Parameters:
  ///   - held: bytes held, from the first on.
  ///   - between: blocks between the first and the last, evenly spread where there is room.
  ///   - isRun: whether a block of the file is a run of one byte.
  init?<Problem: Error>(
    held: Int64, between: Int = 0, isRun: (ByteRange) throws(Problem) -> Bool
  ) throws(Problem) {
    let size = Self.blockSize
    guard held >= 2 * size else { return nil }
    var start: Int64 = 0
    while try isRun(ByteRange(start..<start + size)) {
      start += size
      guard start + 2 * size <= held else { return nil }
    }
    var end = held
    while try isRun(ByteRange(end - size..<end)) {
      end -= size
      guard end - size >= start + size else { return nil }
    }
    let (head, tail) = (ByteRange(start..<start + size), ByteRange(end - size..<end))
    let count = min(Int64(between), (tail.start - head.end) / (4 * size))
    var middle: [ByteRange] = []
    for number in stride(from: 1, through: count, by: 1) {
      let at = head.end + (tail.start - head.end) / (count + 1) * number
      let block = ByteRange(at..<min(at + size, tail.start))
      if try !isRun(block) { middle.append(block) }
    }
    (first, last) = (head, tail)
    self.middle = middle
  }

  /// The requests, in order: the block near the start and those between, then the one near the
  /// end and on.
  var plans: (probes: [RangePlan], last: RangePlan) {
    let probes = ([first] + middle).map { block in
      RangePlan(
        condition: .range, start: block.start, end: block.end, overlap: block.count, isProbe: true)
    }
    return (probes, RangePlan(condition: .range, start: last.start, overlap: last.count))
  }
}
