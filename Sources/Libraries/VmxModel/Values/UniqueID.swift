/// Random UUIDs (RFC 9562, version 4) for libraries and roots.
package enum UniqueID {
  /// Returns 36 characters in lower case, from the system's random number generator.
  package static func random() -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
    return groups.map { Hex.text(of: $0) }.joined(separator: "-")
  }
}
