/// Which of the files that can stand for a video is fetched.
///
/// Only what publishers say of their files counts: lines of the picture, bits per second, bytes.
package enum Quality: Sendable, Equatable {
  /// The first of the record.
  case first
  /// The best: most lines, then most bits per second, then most bytes.
  case best
  /// The least of all these.
  case smallest
  /// The best of those with the most lines not above this number, else with the fewest above it.
  case lines(Int64)
  /// The best of those whose size is known and not above this one.
  case limit(ByteCount)

  /// What texts may be, as messages and the manual say it.
  package static let allowed = "first, best, smallest, lines such as 720p, or max: with a size"

  /// Reads `first`, `best`, `smallest`, `720p` or `max:300M`; nil for anything else.
  package init?(text: String) {
    switch text {
    case "first": self = .first
    case "best": self = .best
    case "smallest": self = .smallest
    default:
      if text.hasPrefix("max:"), let size = ByteCount(text: String(text.dropFirst(4))) {
        self = .limit(size)
      } else if text.hasSuffix("p"), let lines = Int64(text.dropLast()), (1...1 << 20) ~= lines {
        self = .lines(lines)
      } else {
        return nil
      }
    }
  }

  /// The one of the files that is meant; of equal ones the first, and the first of all where
  /// nothing is known that could decide. Nil if none is as it has to be.
  package func choice(among files: [Variant]) -> Variant? {
    switch self {
    case .first: files.first
    case .best: Self.first(of: files) { $0.isBetter(than: $1) }
    case .smallest: Self.first(of: files) { $0.isSmaller(than: $1) }
    case .lines(let lines): Self.choice(of: lines, among: files)
    case .limit(let limit):
      Self.first(of: files.filter { $0.size.map { $0 <= limit } ?? false }) {
        $0.isBetter(than: $1)
      }
    }
  }

  private static func choice(of lines: Int64, among files: [Variant]) -> Variant? {
    let heights = files.compactMap(\.height)
    guard let height = heights.filter({ $0 <= lines }).max() ?? heights.min() else {
      return files.first
    }
    return first(of: files.filter { $0.height == height }) { $0.isBetter(than: $1) }
  }

  private static func first(
    of files: [Variant], _ goesBefore: (Variant, Variant) -> Bool
  ) -> Variant? {
    files.dropFirst().reduce(files.first) { chosen, file in
      chosen.map { goesBefore(file, $0) ? file : $0 }
    }
  }
}

extension Variant {
  private var figures: [Int64?] { [height, bitrate, size?.bytes] }

  fileprivate func isBetter(than other: Variant) -> Bool { goesBefore(other, >) }
  fileprivate func isSmaller(than other: Variant) -> Bool { goesBefore(other, <) }

  /// What is not known goes behind what is, whichever end is wanted.
  private func goesBefore(_ other: Variant, _ isAhead: (Int64, Int64) -> Bool) -> Bool {
    for (own, others) in zip(figures, other.figures) where own != others {
      guard let own, let others else { return own != nil }
      return isAhead(own, others)
    }
    return false
  }
}
