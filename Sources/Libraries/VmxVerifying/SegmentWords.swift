/// Numbers of segments in a readable form: `3-5, 9`.
enum SegmentWords {
  /// The maximal number of ranges in a message; a file that is damaged throughout needs no list.
  private static let longest = 8

  /// Returns the numbers, which must be in ascending order, as ranges.
  static func text(of segments: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for segment in segments {
      if let last = runs.last, last.upperBound + 1 == segment {
        runs[runs.count - 1] = last.lowerBound...segment
      } else {
        runs.append(segment...segment)
      }
    }
    let words = runs.prefix(longest).map { run in
      run.count == 1 ? "\(run.lowerBound)" : "\(run.lowerBound)-\(run.upperBound)"
    }
    let more = runs.count > longest ? " and more" : ""
    return words.joined(separator: ", ") + more
  }

  /// Describes the damage of a file that has `count` segments.
  static func differing(_ segments: [Int], of count: Int) -> String {
    guard count > 1 else { return "its bytes differ" }
    let word = segments.count == 1 ? "segment" : "segments"
    let verb = segments.count == 1 ? "differs" : "differ"
    return "\(word) \(text(of: segments)) of 0-\(count - 1) \(verb)"
  }
}
