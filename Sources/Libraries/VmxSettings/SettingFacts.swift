package import VmxModel

/// The properties of a setting that vmx knows: one of `SettingKey`, or of a section `[host "…"]`.
package struct SettingFacts: Sendable {
  /// The kind of its values.
  package let kind: SettingKind
  /// The built-in value in the syntax of a file; nil for none.
  package let builtIn: String?
  /// The meaning, as the first words of its entry in vmx-config(5).
  package let meaning: String
  /// The variable that sets it; nil if only settings files may, or for a setting of a host.
  package let variable: String?
  /// Whether only settings files may set it.
  package let isForFilesAlone: Bool
  /// Whether all lines of the key count, up to one with an empty value that removes those before.
  package let addsUp: Bool

  /// Creates the properties of a setting.
  package init(_ key: SettingKey) {
    (kind, builtIn) = key.entry
    meaning = key.meaning
    isForFilesAlone = key.isForFilesAlone
    variable = key.isForFilesAlone ? nil : key.variable
    addsUp = false
  }

  /// Creates the properties of a setting of a host.
  package init(_ key: HostKey) {
    kind = key.kind
    builtIn = nil
    meaning = key.meaning
    variable = nil
    isForFilesAlone = false
    addsUp = key == .header
  }
}

extension SettingName {
  /// The properties of the setting; nil if vmx does not know its name.
  package var facts: SettingFacts? {
    if let key = SettingKey(rawValue: text) { return SettingFacts(key) }
    guard section == HostTable.section, subsection != nil else { return nil }
    return HostKey(rawValue: key).map { SettingFacts($0) }
  }

  /// Checks a value that is to be written, by the kind that also reads it.
  ///
  /// - Throws: `bad-setting` with the allowed values; also for a section of hosts whose name is not
  ///   a host.
  package func check(_ value: String) throws(Failure) {
    if isAlias {
      _ = try SettingAlias(name: key, text: value, origin: nil).expansion()
    }
    guard let facts else { return }
    if let subsection, HostPattern(subsection) == nil { throw HostPattern.failure(subsection) }
    guard !facts.addsUp || !value.isEmpty, facts.kind.value(of: value) == nil else { return }
    let found = facts.kind.isSecret ? "is invalid" : "is '\(shown(value).text)'"
    throw Failure(
      .badSetting, "'\(text)' \(found), must be \(facts.kind.allowed)",
      hint: "run 'vmx config explain \(text)' for its meaning and values")
  }
}

/// The text that may be shown of a value.
extension SettingName {
  /// The text in place of a value that may be a secret.
  private static let mark = "…"
  /// Parts of the names of settings of other programs whose values may be secrets.
  private static let secretWords = [
    "password", "passwd", "passphrase", "token", "secret", "auth", "cookie", "credential",
    "apikey", "api-key", "header",
  ]

  /// Returns a value without passwords and other secrets, and whether something was removed.
  package func shown(_ value: String) -> (text: String, isHidden: Bool) {
    let text = redacted(value)
    return (text, text != value)
  }

  private func redacted(_ value: String) -> String {
    if facts?.kind == .headerField {
      // The value of a header is the secret.
      return value.isEmpty ? "" : value.prefix { $0 != ":" } + ": \(Self.mark)"
    }
    if facts == nil, !value.isEmpty {
      let isSecret = Self.secretWords.contains { key.contains($0) }
      if isSecret || section == HostTable.section { return Self.mark }
    }
    guard value.contains("://") else { return value }
    return value.split(separator: " ", omittingEmptySubsequences: false)
      .map { Self.redacted(word: String($0)) }.joined(separator: " ")
  }

  /// Returns a word without the user info and the query of a URL in it; other URLs stay as typed.
  private static func redacted(word: String) -> String {
    guard word.contains("://") else { return word }
    let redacted = URLRedaction.redacted(word)
    let isPlain = !word.unicodeScalars.contains {
      "@?#\u{FF20}\u{FE6B}".unicodeScalars.contains($0)
    }
    // The redactor also writes a URL in its normal form.
    return isPlain && !redacted.contains(mark) ? word : redacted
  }
}
