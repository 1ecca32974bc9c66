/// A path below a root as its bytes are: JSON takes them as text where they are UTF-8, and in
/// hexadecimal where they are not.
package struct PathBytes: Sendable, Hashable, Comparable {
  /// The bytes, without a slash in front.
  package let bytes: [UInt8]

  /// A path of some bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A path of a text.
  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text; nil if the bytes are not UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The text for people; what is not UTF-8 stands there as `\u{FFFD}`.
  package var words: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it stays below its root: no component is empty, `.` or `..`.
  package var isBelow: Bool {
    let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return components.allSatisfy { !$0.isEmpty && !$0.elementsEqual([0x2E]) }
      && !components.contains { $0.elementsEqual([0x2E, 0x2E]) } && !bytes.contains(0)
  }

  package static func < (left: PathBytes, right: PathBytes) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension JSONObject {
  /// Adds a path as text, or under the key with `_hex` behind it; nothing where it is nil.
  package mutating func append(_ key: String, _ path: PathBytes?) {
    guard let path else { return }
    if let text = path.text {
      append(key, text)
    } else {
      append(key + "_hex", Hex.text(of: path.bytes))
    }
  }

  /// Reads a path as `append` writes it.
  package func path(_ key: String) -> PathBytes? {
    if let text = self[key]?.string { return PathBytes(text) }
    return self[key + "_hex"]?.string.flatMap { Hex.bytes(of: $0) }.map { PathBytes($0) }
  }
}
