/// An amount of disk space: a number of bytes, or a percentage of the disk's capacity.
package enum Share: Sendable, Hashable {
  /// A number of bytes.
  case bytes(ByteCount)
  /// A percentage, from 0 to 100.
  case percent(Int64)

  /// Parses `10%`, or a number of bytes with an optional suffix K, M, G or T; nil otherwise.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let number = Int64(text.dropLast()), (0...100).contains(number) else { return nil }
      self = .percent(number)
    } else {
      guard let count = ByteCount(text: text) else { return nil }
      self = .bytes(count)
    }
  }

  /// Returns the number of bytes on a disk of the given capacity.
  package func bytes(of disk: ByteCount) -> ByteCount {
    switch self {
    case .bytes(let count): count
    case .percent(let hundredths): ByteCount(clamping: disk.bytes / 100 * hundredths)
    }
  }
}
