import VmxModel

/// The name of a setting: `section.key`, or `section.subsection.key`. Section and key ignore case;
/// a subsection may contain full stops.
package struct SettingName: Sendable, Equatable {
  /// The section in lower case.
  let section: String
  /// The subsection, as in `[host "example.org"]`; nil for none.
  let subsection: String?
  /// The key in lower case, without its section.
  let key: String

  /// Parses a name; nil if the text has no section or no key.
  package init?(_ text: String) {
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count > 1, let section = words.first, let key = words.last, !section.isEmpty,
      !key.isEmpty
    else { return nil }
    self.section = section.lowercased()
    self.key = key.lowercased()
    subsection = words.count > 2 ? words.dropFirst().dropLast().joined(separator: ".") : nil
  }

  /// Whether it is the name of an alias.
  package var isAlias: Bool { section == SettingAlias.section && subsection == nil }

  /// The section with its subsection, as a file's parser names it.
  var wholeSection: String { subsection.map { "\(section).\($0)" } ?? section }

  /// The whole name, by which the settings are looked up.
  package var text: String { "\(wholeSection).\(key)" }

  /// Whether the syntax of a settings file can express the name.
  package var isWritable: Bool {
    let isKeyByte = { (byte: UInt8) in byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") }
    guard let first = key.utf8.first, first.isASCIIAlphanumeric, first > UInt8(ascii: "9") else {
      return false
    }
    return key.utf8.allSatisfy(isKeyByte) && section.utf8.allSatisfy(isKeyByte)
      && !(subsection ?? "").utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\n") }
  }

  /// The header of the section, as git writes it.
  var header: String {
    guard let subsection else { return "[\(section)]" }
    let quoted = subsection.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "[\(section) \"\(quoted)\"]"
  }
}
