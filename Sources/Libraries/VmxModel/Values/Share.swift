/// A part of a disk: so many bytes, or so many hundredths of what the disk can hold.
package enum Share: Sendable, Hashable {
  /// Bytes.
  case bytes(ByteCount)
  /// Hundredths, from 0 to 100.
  case percent(Int64)

  /// Reads `10%`, or a number of bytes with an optional suffix K, M, G or T; nil otherwise.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let number = Int64(text.dropLast()), (0...100).contains(number) else { return nil }
      self = .percent(number)
    } else {
      guard let count = ByteCount(text: text) else { return nil }
      self = .bytes(count)
    }
  }

  /// The bytes that it is of a disk of some size.
  package func bytes(of disk: ByteCount) -> ByteCount {
    switch self {
    case .bytes(let count): count
    case .percent(let hundredths): ByteCount(clamping: disk.bytes / 100 * hundredths)
    }
  }
}
