/// A setting whose name vmx does not know.
package struct UnknownSetting: Sendable, Equatable {
  /// The key, section and key in lower case.
  package let key: String
  /// The position of the key.
  package let origin: SettingOrigin
  /// Whether the name is a wrong one of vmx's own: an unknown key of a known section, or a section
  /// within two letters of a known one. Other sections belong to tools of others.
  package let isMisspelt: Bool
  /// The known key or section with the nearest name; nil if none is near.
  package let nearest: String?

  /// Judges a key; nil if vmx knows it.
  init?(_ key: String, at origin: SettingOrigin) {
    guard SettingKey(rawValue: key) == nil else { return nil }
    let words = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (section, last) = (words[0], words[words.count - 1])
    if section == Self.host, words.count > 2, HostKey(rawValue: last) != nil { return nil }
    self.key = key
    self.origin = origin
    let near = Self.nearest(section, among: Self.sections)
    isMisspelt = near != nil
    if let near, near != section {
      let corrected = "\(near).\(last)"
      nearest = SettingKey(rawValue: corrected) == nil ? "[\(near)]" : corrected
    } else if section == Self.host {
      nearest = Self.nearest(last, among: HostKey.allCases.map(\.rawValue)).map {
        "[host \"NAME\"] \($0)"
      }
    } else {
      let keys = SettingKey.allCases.map(\.rawValue).filter { $0.hasPrefix("\(section).") }
      nearest = Self.nearest("\(section).\(last)", among: keys)
    }
  }

  /// The failure of a misspelt name.
  package var failure: Failure {
    Failure(
      .unknownSetting, "\(origin.phrase): there is no setting '\(key)'",
      hint: nearest.map { "the nearest is '\($0)'; 'man vmx-config' lists all" })
  }

  private static let host = "host"
  private static let sections = Array(
    Set(SettingKey.allCases.map { String($0.rawValue.prefix { $0 != "." }) }).union([host])
  ).sorted()

  /// Returns the nearest name within two letters.
  private static func nearest(_ typed: String, among names: [String]) -> String? {
    names.map { (editDistance(typed, $0), $0) }.filter { $0.0 <= 2 }.min { $0 < $1 }?.1
  }
}

extension Settings {
  /// The settings whose names vmx does not know, ordered by key.
  package var unknown: [UnknownSetting] {
    keys.flatMap { key in
      all(key).compactMap { UnknownSetting(key, at: $0.origin) }
    }
  }

  /// The failures that warn the user: misspelt names, and a named file that does not exist.
  package var warnings: [Failure] {
    let missing = missingFile.map { path in
      Failure(
        .badSetting, "variable 'VMX_CONFIG': there is no file '\(path)'",
        hint: "correct the path or unset the variable; without the file the built-in values count")
    }
    return (missing.map { [$0] } ?? []) + unknown.filter(\.isMisspelt).map(\.failure)
  }
}
