/// 64-bit FNV-1a (draft-eastlake-fnv): a hash that is the same in every process and version.
///
/// It determines the offsets of claims in the lock file and the names of partial files, so it is
/// part of the format on disk. It is not collision resistant: callers compare the full values
/// afterwards.
package struct StableHash: Sendable {
  /// The hash of all bytes combined so far.
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Creates the hash of no bytes.
  package init() {}

  /// Combines bytes in order.
  package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { combine(byte) }
  }

  /// Combines bytes in order; much faster than the generic overload for hundreds of thousands of
  /// names.
  package mutating func combine(_ bytes: [UInt8]) {
    for byte in bytes { combine(byte) }
  }

  /// Combines one byte.
  package mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// Returns the hash of a text's UTF-8.
  package static func of(_ text: String) -> UInt64 {
    var hash = StableHash()
    hash.combine(text.utf8)
    return hash.value
  }
}

/// Returns a random UUID (RFC 9562, version 4): 36 characters in lower case.
package func randomUUID() -> String {
  var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
  return groups.map { Hex.text(of: $0) }.joined(separator: "-")
}
