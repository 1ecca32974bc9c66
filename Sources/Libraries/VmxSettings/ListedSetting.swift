package import VmxModel

/// A value of a setting in one of the layers, with what vmx knows of the setting.
package struct ListedSetting: Sendable {
  /// The name of the setting.
  package let name: SettingName
  /// The value with its origin; nil for a setting without any value.
  package let value: Settings.SourcedValue?
  /// Whether the value counts: no later layer or line overrides it.
  package let isEffective: Bool

  /// Creates a setting without a value.
  package init(of name: SettingName) {
    self.init(name: name, value: nil, isEffective: true)
  }

  /// Creates a value that counts.
  ///
  /// - Parameter value: the text; nil for no value.
  package init(_ name: SettingName, _ value: String?, at origin: SettingOrigin) {
    self.init(
      name: name, value: value.map { Settings.SourcedValue(text: $0, origin: origin) },
      isEffective: true)
  }

  init(name: SettingName, value: Settings.SourcedValue?, isEffective: Bool) {
    self.name = name
    self.value = value
    self.isEffective = isEffective
  }

  /// The value as it may be shown; a key alone is true. Nil for no value.
  package var shownValue: (text: String, isHidden: Bool)? {
    value.map { name.shown($0.text ?? "true") }
  }
}

extension Settings {
  /// Returns the values of a setting in ascending precedence: the built-in one, then those of the
  /// layers.
  package func values(of name: SettingName) -> [ListedSetting] {
    let facts = name.facts
    var values = all(name.text)
    if let builtIn = facts?.builtIn, values.first?.origin != .builtIn {
      values.insert(SourcedValue(text: builtIn, origin: .builtIn), at: 0)
    }
    guard !values.isEmpty else { return [] }
    var firstEffective = values.count - 1
    if facts?.addsUp == true {
      firstEffective = values.lastIndex { $0.text == "" }.map { $0 + 1 } ?? 0
    }
    return values.enumerated().map {
      ListedSetting(name: name, value: $0.element, isEffective: $0.offset >= firstEffective)
    }
  }

  /// Returns the settings with a value from a layer, ordered by name.
  ///
  /// - Parameter isAll: whether to include overridden values, and the settings that have only a
  ///   built-in value or none; those of hosts are listed once, for a host NAME.
  package func listed(isAll: Bool) -> [ListedSetting] {
    let names = isAll ? Set(keys).union(Self.allNames) : Set(keys)
    return names.sorted().compactMap { SettingName($0) }.flatMap { name in
      let values = values(of: name)
      guard isAll else { return values.filter { $0.isEffective && $0.value?.origin != .builtIn } }
      return values.isEmpty
        ? [ListedSetting(name: name, value: nil, isEffective: true)] : values
    }
  }

  /// The names of all settings, those of a host with the word NAME.
  private static let allNames =
    SettingKey.allCases.map(\.rawValue)
    + HostKey.allCases.map { "\(HostTable.section).NAME.\($0.rawValue)" }

  /// The failures of all values that count and are invalid, ordered by name.
  package var invalidValues: [Failure] {
    listed(isAll: false).compactMap { setting in
      guard let facts = setting.name.facts, let value = setting.value else { return nil }
      do throws(Failure) {
        if let host = setting.name.subsection, HostPattern(host) == nil {
          return HostPattern.failure(host, at: value.origin)
        }
        _ = try parse(value, of: setting.name.text, as: facts.kind)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Returns the failure for a name that seems to be a misspelt one of vmx and that no layer
  /// contains; nil for any other.
  package func failure(ofName name: SettingName) -> Failure? {
    guard all(name.text).isEmpty,
      let unknown = UnknownSetting(name.text, at: .option(name.text)), unknown.isMisspelt
    else { return nil }
    return Failure(
      .unknownSetting, "unknown setting '\(name.text)'",
      hint: unknown.nearest.map {
        "did you mean '\($0)'? 'vmx config list --all' lists all settings"
      })
  }
}
