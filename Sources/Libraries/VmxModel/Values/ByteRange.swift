/// A half-open range of bytes from `start` to `end`.
package struct ByteRange: Sendable, Hashable {
  /// The offset of the first byte.
  package let start: Int64
  /// The offset after the last byte, at least `start`.
  package let end: Int64

  /// Creates a range; negative offsets become 0.
  package init(_ bounds: Range<Int64>) {
    start = max(0, bounds.lowerBound)
    end = max(start, bounds.upperBound)
  }

  /// The number of bytes.
  package var count: Int64 { end - start }
  /// Whether the range is empty.
  package var isEmpty: Bool { start == end }

  /// Returns the range of the same length at another offset.
  package func shifted(by distance: Int64) -> ByteRange {
    ByteRange(start + distance..<end + distance)
  }
}

/// A set of byte ranges in ascending order that neither touch nor overlap.
package struct ByteRangeSet: Sendable, Hashable {
  /// The ranges in ascending order, none empty.
  package private(set) var ranges: [ByteRange] = []

  /// Creates an empty set.
  package init() {}

  /// Creates the union of ranges.
  package init(_ ranges: some Sequence<ByteRange>) {
    for range in ranges { insert(range) }
  }

  /// The total number of bytes.
  package var count: Int64 { ranges.reduce(0) { $0 + $1.count } }

  /// Inserts a range, merging ranges that it touches.
  package mutating func insert(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    // Bytes usually arrive in order, so that the last range grows.
    if let last = ranges.last, range.start >= last.start {
      if range.start <= last.end {
        ranges[ranges.count - 1] = ByteRange(last.start..<max(last.end, range.end))
      } else {
        ranges.append(range)
      }
      return
    }
    let first = ranges.firstIndex { $0.end >= range.start } ?? ranges.count
    let after = ranges[first...].firstIndex { $0.start > range.end } ?? ranges.count
    let touched = ranges[first..<after]
    let start = min(range.start, touched.first?.start ?? range.start)
    let end = max(range.end, touched.last?.end ?? range.end)
    ranges.replaceSubrange(first..<after, with: [ByteRange(start..<end)])
  }

  /// Removes a range, splitting a range that contains it.
  package mutating func remove(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    ranges = ranges.flatMap { held in
      [
        ByteRange(held.start..<max(held.start, min(held.end, range.start))),
        ByteRange(min(held.end, max(held.start, range.end))..<held.end),
      ].filter { !$0.isEmpty }
    }
  }

  /// Whether the set contains every byte of the range.
  package func contains(_ range: ByteRange) -> Bool {
    range.isEmpty || ranges.contains { $0.start <= range.start && $0.end >= range.end }
  }

  /// Returns the missing ranges of the first `length` bytes, ascending.
  package func gaps(upTo length: Int64) -> [ByteRange] {
    var gaps: [ByteRange] = []
    var next: Int64 = 0
    for range in ranges where range.start < length {
      if range.start > next { gaps.append(ByteRange(next..<range.start)) }
      next = range.end
    }
    if next < length { gaps.append(ByteRange(next..<length)) }
    return gaps
  }
}
