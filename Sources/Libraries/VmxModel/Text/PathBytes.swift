/// A relative path as bytes. In JSON it is text if it is UTF-8, else hexadecimal.
package struct PathBytes: Sendable, Hashable, Comparable {
  /// The bytes, without a leading slash.
  package let bytes: [UInt8]

  /// Creates a path from bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a path from text.
  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The path as text; nil if the bytes are not UTF-8.
  package var text: String? { String(validating: bytes, as: UTF8.self) }

  /// The path for display; bytes that are not UTF-8 appear as `\u{FFFD}`.
  package var displayText: String { String(decoding: bytes, as: UTF8.self) }

  /// The last component; empty for an empty path.
  var lastBytes: ArraySlice<UInt8> { bytes.split(separator: UInt8(ascii: "/")).last ?? [] }

  /// The last component for display, like `displayText`; empty for an empty path.
  package var lastName: String { String(decoding: lastBytes, as: UTF8.self) }

  /// Whether the path leads below its root and is normalised: no component is empty, `.` or `..`.
  package var isNormalised: Bool {
    guard bytes.withUnsafeBufferPointer({ Self.staysBelowRoot($0) }) else { return false }
    let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return components.allSatisfy { !$0.isEmpty && !$0.elementsEqual([0x2E]) }
  }

  /// The maximum length in bytes of a path in the kernel, without the trailing NUL (`PATH_MAX`).
  private static let maxLength = 4095
  /// The maximum length in bytes of a component (`NAME_MAX`).
  private static let maxNameLength = 255

  /// Whether a path of these bytes leads below its root, normalised or not. It must not be
  /// absolute, contain `..`, or exceed the kernel's limits. It must not contain a NUL either, at
  /// which the kernel would end it.
  package static func staysBelowRoot(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard path.count <= maxLength else { return false }
    var length = 0
    var dots = 0
    for byte in path {
      if byte == UInt8(ascii: "/") {
        if dots == 2, length == 2 { return false }
        (length, dots) = (0, 0)
      } else {
        if byte == 0 { return false }
        length += 1
        if length > maxNameLength { return false }
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    return !path.isEmpty && path.first != UInt8(ascii: "/") && !(dots == 2 && length == 2)
  }

  package static func < (left: PathBytes, right: PathBytes) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension JSONObject {
  /// Appends a path as text, or under the key with the suffix `_hex`; nothing if it is nil.
  package mutating func append(_ key: String, _ path: PathBytes?) {
    guard let path else { return }
    if let text = path.text {
      append(key, text)
    } else {
      append(key + "_hex", Hex.text(of: path.bytes))
    }
  }

  /// Decodes a path in the form that `append` writes.
  package func path(_ key: String) -> PathBytes? {
    if let text = self[key]?.string { return PathBytes(text) }
    return self[key + "_hex"]?.string.flatMap { Hex.bytes(of: $0) }.map { PathBytes($0) }
  }
}

// Arguments are bytes, but the option parser takes text. A byte that is not part of valid UTF-8 is
// encoded as a scalar of a private range. Byte b becomes U+10FF00 + b, so that 0x80 to 0xFF become
// U+10FF80 to U+10FFFF. Scalars of that range in the argument itself are encoded byte by byte as
// well, so that decoding is exact. Python's 'surrogateescape' does the same with lone surrogates,
// which a Swift string cannot hold.

/// Text that encodes the bytes of a command-line argument, valid UTF-8 or not.
package enum ArgumentText {
  private static let first: UInt32 = 0x10FF80
  private static let offset: UInt32 = 0x10FF00

  /// Encodes bytes as text; valid UTF-8 is returned unchanged.
  package static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !carriesBytes(text) { return text }
    var text = ""
    var rest = bytes[...]
    while let byte = rest.first {
      if let scalar = scalar(at: rest), scalar.value < first {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        // An ASCII byte is always a separate scalar, so this byte is 0x80 or more.
        text.unicodeScalars.append(Unicode.Scalar(offset + UInt32(byte)) ?? "\u{FFFD}")
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// Decodes the bytes of a text.
  package static func bytes(of text: String) -> [UInt8] {
    guard carriesBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      scalar.value < first ? Array(UTF8.encode(scalar) ?? .init()) : [UInt8(scalar.value - offset)]
    }
  }

  /// Whether a text encodes bytes that are not UTF-8.
  package static func carriesBytes(_ text: String) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains { $0.value >= first }
  }

  /// The text for display; each byte that is not UTF-8 appears as `\xHH`.
  package static func shown(_ text: String) -> String {
    guard carriesBytes(text) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if scalar.value < first {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += "\\x" + Hex.text(of: [UInt8(scalar.value - offset)])
      }
    }
  }

  private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
