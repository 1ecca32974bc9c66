import VmxModel

/// The held bytes that are fetched again to verify that the source is unchanged.
///
/// This is the only check without a strong validator: the first and the last 64 KiB held must be
/// the same again. A block of one repeated byte proves nothing, since many files contain such runs.
/// The nearest other block replaces it.
struct OverlapProbe: Sendable, Equatable {
  /// The size of a block in bytes.
  static let blockSize: Int64 = 64 * 1024

  /// The block near the start.
  let first: ByteRange
  /// The blocks between the two, where stronger evidence is required.
  let middle: [ByteRange]
  /// The block near the end. The transfer continues behind it, so bytes held after it are dropped.
  let last: ByteRange

  /// Chooses the blocks; nil if so few or such uniform bytes are held that starting over is better.
  ///
  /// - Parameters:
  ///   - held: the number of bytes held from the first on.
  ///   - between: the number of blocks between the first and the last, evenly spread where there is
  ///     room.
  ///   - isRun: returns whether a block of the file consists of one repeated byte.
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

  /// The requests in order: the block near the start, those between, then the block near the end
  /// and all bytes behind it.
  var plans: (probes: [RangePlan], last: RangePlan) {
    let probes = ([first] + middle).map { block in
      RangePlan(
        condition: .range, start: block.start, end: block.end, overlap: block.count, isProbe: true)
    }
    return (probes, RangePlan(condition: .range, start: last.start, overlap: last.count))
  }
}
