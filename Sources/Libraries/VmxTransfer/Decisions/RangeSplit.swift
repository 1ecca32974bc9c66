import VmxModel

/// Where the range that a connection brings is cut, so that another one brings the second half.
enum RangeSplit {
  /// Where the second half begins; nil where the rest is too small to be shared.
  ///
  /// It is the border of a segment where there is enough, so that each connection digests
  /// segments of its own; else the middle.
  ///
  /// - Parameter least: bytes that each half has at least.
  static func cut(_ rest: ByteRange, least: Int64) -> Int64? {
    guard rest.count >= 2 * least else { return nil }
    let middle = rest.start + rest.count / 2
    guard rest.count >= 2 * SegmentMap.size else { return middle }
    let below = middle / SegmentMap.size * SegmentMap.size
    let isNearer = middle - below <= SegmentMap.size / 2
    return isNearer ? below : below + SegmentMap.size
  }
}
