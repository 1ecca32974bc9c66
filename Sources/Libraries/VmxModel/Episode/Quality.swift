/// The rule that selects one of the alternative files of a video.
///
/// Only published values count: height in lines, bits per second, bytes.
package enum Quality: Sendable, Equatable {
  /// The first file of the record.
  case first
  /// The file with the most lines, then the most bits per second, then the most bytes.
  case best
  /// The file with the fewest lines, then the fewest bits per second, then the fewest bytes.
  case smallest
  /// The best file with at most this height; else the file with the smallest height above it.
  case lines(Int64)
  /// The best file whose size is known and at most this one.
  case limit(ByteCount)

  /// The accepted values, worded for messages and the manual.
  package static let allowed = "first, best, smallest, a height such as 720p, or max:SIZE"

  /// Parses `first`, `best`, `smallest`, `720p` or `max:300M`; nil for any other text.
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

  /// Returns the selected file. The first of equal files is selected, and the first of all if no
  /// known value decides. Nil if no file satisfies the rule.
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

  fileprivate func isBetter(than other: Variant) -> Bool { precedes(other, >) }
  fileprivate func isSmaller(than other: Variant) -> Bool { precedes(other, <) }

  /// Sorts unknown values behind known ones, for either direction.
  private func precedes(_ other: Variant, _ isAhead: (Int64, Int64) -> Bool) -> Bool {
    for (own, others) in zip(figures, other.figures) where own != others {
      guard let own, let others else { return own != nil }
      return isAhead(own, others)
    }
    return false
  }
}

// A choice is recorded by its source, not by its index in the list. A later description of the part
// may add files and mirrors and change their order.

extension Part {
  /// The variants that can be fetched.
  package var offered: [Variant] { variants.filter { !$0.sources.isEmpty } }

  /// The selected variant: the chosen one, else the first that can be fetched, else the first.
  package var variant: Variant? {
    let chosen = chosen.flatMap { key in variants.first { $0.isNamed(key) } }
    return chosen ?? variants.first { !$0.sources.isEmpty } ?? variants.first
  }

  /// The size of the file at its source, as received or else as published; nil if unknown.
  package var expectedSize: ByteCount? { original?.size ?? size ?? variant?.size }

  /// The URLs of the selected variant, in the order in which they are tried.
  package var urls: [String] { variant?.sources.map(\.url) ?? [] }

  /// The extension of the first of these URLs, used if the bytes do not determine one; empty if it
  /// has none.
  package var urlExtension: String {
    guard let url = urls.first else { return "" }
    do throws(Failure) {
      return try WebURL(url).fileExtension
    } catch {
      // A URL in a record that was edited incorrectly has no extension.
      return ""
    }
  }
}

extension Variant {
  /// The key under which a choice of this variant is recorded; nil without a source.
  ///
  /// It is the `StableHash` of the URL of the first source, as 16 hexadecimal digits.
  package var key: String? { sources.first.map { Self.key(of: $0) } }

  /// Whether a recorded choice identifies this variant, by any of its sources.
  package func isNamed(_ key: String) -> Bool {
    sources.contains { Self.key(of: $0) == key }
  }

  private static func key(of source: Source) -> String { Hex.text(of: StableHash.of(source.url)) }
}
