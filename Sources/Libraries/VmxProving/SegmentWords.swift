/// Numbers of segments as people read them: `3-5, 9`.
enum SegmentWords {
  /// Runs that are told; a file that is wrong throughout needs no list.
  private static let longest = 8

  /// The numbers, which come in order, as runs.
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

  /// What is wrong with a file of so many segments.
  static func differing(_ segments: [Int], of count: Int) -> String {
    guard count > 1 else { return "its bytes differ" }
    let word = segments.count == 1 ? "segment" : "segments"
    let verb = segments.count == 1 ? "differs" : "differ"
    return "\(word) \(text(of: segments)) of 0-\(count - 1) \(verb)"
  }
}
