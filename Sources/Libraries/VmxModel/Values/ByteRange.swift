/// The bytes from `start` up to, not including, `end`.
package struct ByteRange: Sendable, Hashable {
  /// Offset of the first byte.
  package let start: Int64
  /// Offset after the last byte, at least `start`.
  package let end: Int64

  /// The bytes of a half-open interval of offsets that are not negative.
  package init(_ bounds: Range<Int64>) {
    start = max(0, bounds.lowerBound)
    end = max(start, bounds.upperBound)
  }

  /// How many bytes there are.
  package var count: Int64 { end - start }
  /// Whether there are none.
  package var isEmpty: Bool { start == end }
}

/// Which bytes of a file are held: ranges in ascending order that neither touch nor overlap.
package struct ByteRangeSet: Sendable, Hashable {
  /// The ranges, ascending, none empty.
  package private(set) var ranges: [ByteRange] = []

  /// Nothing held.
  package init() {}

  /// The union of any ranges.
  package init(_ ranges: some Sequence<ByteRange>) {
    for range in ranges { insert(range) }
  }

  /// How many bytes are held.
  package var count: Int64 { ranges.reduce(0) { $0 + $1.count } }

  /// Adds a range, joining those it touches.
  package mutating func insert(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    // Bytes mostly come in order: the last range grows.
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

  /// Takes a range out, splitting what spans it.
  package mutating func remove(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    ranges = ranges.flatMap { held in
      [
        ByteRange(held.start..<max(held.start, min(held.end, range.start))),
        ByteRange(min(held.end, max(held.start, range.end))..<held.end),
      ].filter { !$0.isEmpty }
    }
  }

  /// Whether every byte of the range is held.
  package func contains(_ range: ByteRange) -> Bool {
    range.isEmpty || ranges.contains { $0.start <= range.start && $0.end >= range.end }
  }

  /// What is not held of the first `length` bytes, ascending.
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
