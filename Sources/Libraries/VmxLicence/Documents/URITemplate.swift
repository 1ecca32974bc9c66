/// URI templates (RFC 6570) with the operators that licence providers use: `{a}` is a value,
/// `{?a,b}` begins a query, `{&a,b}` continues a query.
package enum URITemplate {
  /// Expands a template. Absent variables are omitted.
  ///
  /// - Parameter values: the values by variable name.
  /// - Returns: the address; nil for a malformed template or an unsupported operator.
  package static func expanded(_ template: String, _ values: [String: String]) -> String? {
    var text = ""
    var rest = Substring(template)
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else { return nil }
      text += rest[..<open]
      let inner = rest[rest.index(after: open)..<close]
      guard let part = expression(inner, values) else { return nil }
      text += part
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  private static func expression(_ text: Substring, _ values: [String: String]) -> String? {
    var names = text
    var mark: Character?
    if let first = names.first, first == "?" || first == "&" {
      mark = first
      names = names.dropFirst()
    }
    var parts: [String] = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false) {
      // Values are never lists, so the explode modifier `*` has no effect.
      let name = name.hasSuffix("*") ? name.dropLast() : name
      guard !name.isEmpty, name.utf8.allSatisfy({ $0.isNameByte }) else { return nil }
      guard let value = values[String(name)] else { continue }
      parts.append(mark == nil ? coded(value) : "\(name)=\(coded(value))")
    }
    guard !parts.isEmpty else { return "" }
    return mark.map { "\($0)\(parts.joined(separator: "&"))" } ?? parts.joined(separator: ",")
  }

  /// Percent-encodes all bytes except the unreserved ones (RFC 3986, section 2.3).
  private static func coded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte.isUnreserved {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  fileprivate var isUnreserved: Bool {
    isLetterOrDigit || [0x2D, 0x2E, 0x5F, 0x7E].contains(self)
  }

  fileprivate var isNameByte: Bool { isLetterOrDigit || self == 0x5F || self == 0x2E }
}
