/// 64-bit FNV-1a (draft-eastlake-fnv): a hash that is the same in every process and version.
///
/// It places claims in the lock file and names partial files, so it is part of the format on
/// disk. It resists nothing: whoever relies on it compares the whole afterwards.
package struct StableHash: Sendable {
  /// The hash of all bytes fed so far.
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The hash of nothing.
  package init() {}

  /// Feeds bytes in order.
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(byte) }
  }

  /// Feeds bytes in order; of names by the hundred thousand this is much the cheaper way.
  package mutating func combine(_ bytes: [UInt8]) {
    for byte in bytes { combine(byte) }
  }

  /// Feeds one byte.
  package mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// The hash of a text's UTF-8.
  package static func of(_ text: String) -> UInt64 {
    var hash = StableHash()
    hash.combine(text.utf8)
    return hash.value
  }
}
