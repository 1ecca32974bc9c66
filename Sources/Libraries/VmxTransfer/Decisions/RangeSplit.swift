import VmxModel

/// Splits the range of a connection so that another connection receives the second half.
enum RangeSplit {
  /// The offset of the second half; nil if the rest is too small to be split.
  ///
  /// In a large range it is a segment boundary, so that each connection hashes its own segments;
  /// else it is the middle.
  ///
  /// - Parameter least: the minimum size of each half in bytes.
  static func cut(_ rest: ByteRange, least: Int64) -> Int64? {
    guard rest.count >= 2 * least else { return nil }
    let middle = rest.start + rest.count / 2
    guard rest.count >= 2 * SegmentMap.size else { return middle }
    let below = middle / SegmentMap.size * SegmentMap.size
    let isNearer = middle - below <= SegmentMap.size / 2
    return isNearer ? below : below + SegmentMap.size
  }
}
