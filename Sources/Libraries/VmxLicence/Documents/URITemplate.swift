import VmxModel

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
      let coded = PercentCoding.codedComponent(value)
      parts.append(mark == nil ? coded : "\(name)=\(coded)")
    }
    guard !parts.isEmpty else { return "" }
    return mark.map { "\($0)\(parts.joined(separator: "&"))" } ?? parts.joined(separator: ",")
  }
}

extension UInt8 {
  fileprivate var isNameByte: Bool { isASCIIAlphanumeric || self == 0x5F || self == 0x2E }
}
