package import VmxModel
package import VmxNaming

/// All settings of this run: layers over the built-in values; a later layer overrides the earlier
/// ones. Add them in this order: system file, user file, environment, `-c`, options.
///
/// A value is validated when it is read, by its kind in the table of `SettingKey`. An invalid value
/// therefore affects only the tools that read it, and a later layer can override it.
package struct Settings: Sendable {
  /// A value with its origin.
  package struct SourcedValue: Sendable, Equatable {
    /// The text; nil for a key without a value.
    package let text: String?
    /// The origin of the value.
    package let origin: SettingOrigin
  }

  private var values: [String: [SourcedValue]] = [:]
  /// The path of the user's file if the user named one that does not exist.
  package var missingFile: String?

  /// Creates settings with only the built-in values.
  package init() {}

  /// Adds all entries of a file.
  package mutating func add(_ file: SettingsFile) {
    for entry in file.entries {
      values[entry.key, default: []].append(SourcedValue(text: entry.value, origin: entry.origin))
    }
  }

  /// Adds the environment variables of settings, such as `VMX_FETCH_JOBS`; empty variables count as
  /// unset.
  package mutating func add(environment: [String: String]) {
    for key in SettingKey.allCases where !key.isForFilesAlone {
      guard let text = environment[key.variable], !text.isEmpty else { continue }
      values[key.rawValue, default: []].append(
        SourcedValue(text: text, origin: .environment(key.variable)))
    }
    let names = environment.keys.filter { $0.hasPrefix("VMX_") && !Self.variables.contains($0) }
    for name in names.sorted() {
      guard let key = UnknownSetting.key(ofVariable: name) else { continue }
      values[key, default: []].append(
        SourcedValue(text: environment[name], origin: .environment(name)))
    }
  }

  /// The variables that a user sets and that are not of settings.
  static let otherVariables = [
    "VMX_ASSUME_YES", "VMX_CONFIG", "VMX_EDITOR", "VMX_EXEC_PATH", "VMX_HOME", "VMX_METERED",
    "VMX_NETWORK",
    "VMX_OSC", "VMX_PAGER", "VMX_PLAYER",
  ]
  /// The variables that are not reported as misspelt: also those that vmx sets for its programs.
  private static let variables = Set(SettingKey.allCases.map(\.variable)).union(otherVariables)
    .union([
      "VMX_CODE", "VMX_CONFIG_PARAMETERS", "VMX_ID", "VMX_LOCK_PURPOSE", "VMX_LOCK_USER",
      "VMX_OUTCOME", "VMX_PATH", "VMX_VERSION",
    ])

  /// Adds the argument of `-c`: `section.key=value`, or `section.key` alone for true.
  ///
  /// - Throws: `bad-setting` if it contains no valid key, or a key that only files may set;
  ///   `unknown-setting` if its name is misspelt.
  package mutating func add(parameter: String) throws(Failure) {
    let halves = parameter.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard let name = SettingName(halves[0]) else {
      throw Failure(
        .badSetting, "\(SettingOrigin.parameter.phrase): '\(halves[0])' is not a setting",
        hint: "give -c section.key=value")
    }
    let whole = name.text
    guard SettingKey(rawValue: whole)?.isForFilesAlone != true else {
      throw Failure(
        .badSetting,
        "\(SettingOrigin.parameter.phrase): '\(whole)' is only valid in a settings file",
        hint: "move it to your settings file")
    }
    if let unknown = UnknownSetting(whole, at: .parameter), unknown.isMisspelt {
      throw unknown.failure
    }
    values[whole, default: []].append(
      SourcedValue(text: halves.count == 2 ? halves[1] : nil, origin: .parameter))
  }

  /// Adds the value of an option of the tool.
  package mutating func set(_ key: SettingKey, to text: String, option: String) {
    values[key.rawValue, default: []].append(SourcedValue(text: text, origin: .option(option)))
  }

  /// Adds a value below all layers, for a key whose default only the tool knows.
  package mutating func add(usual text: String, of key: String) {
    values[key, default: []].insert(SourcedValue(text: text, origin: .builtIn), at: 0)
  }

  /// All keys with a value, known or not, in alphabetical order.
  package var keys: [String] { values.keys.sorted() }

  /// Returns all values of any key, known or not, in ascending precedence, without the built-in
  /// one. Section and key are in lower case.
  package func all(_ key: String) -> [SourcedValue] { values[key] ?? [] }

  /// Returns the effective value with its origin; nil for a key without a value.
  package func effectiveValue(_ key: SettingKey) -> SourcedValue? {
    values[key.rawValue]?.last
      ?? key.entry.builtIn.map { SourcedValue(text: $0, origin: .builtIn) }
  }

  /// Validates all known settings.
  ///
  /// - Throws: `bad-setting` for the first invalid one in the order of the table.
  package func validate() throws(Failure) {
    for key in SettingKey.allCases { _ = try value(key) }
  }

  func value(_ key: SettingKey) throws(Failure) -> SettingKind.Value? {
    guard let winner = effectiveValue(key) else { return nil }
    return try parse(winner, of: key.rawValue, as: key.entry.kind)
  }

  /// Parses a value of a key by the key's kind.
  func parse(
    _ given: SourcedValue, of key: String, as kind: SettingKind
  ) throws(Failure) -> SettingKind.Value {
    try kind.parse(given.text, of: key, at: given.origin)
  }

  /// Returns the names of all non-empty sections `[SECTION "NAME"]`, in no particular order.
  func subsections(of section: String) -> Set<String> {
    let front = section + "."
    return Set(
      values.keys.compactMap { key in
        guard key.hasPrefix(front), let last = key.lastIndex(of: ".") else { return nil }
        let start = key.index(key.startIndex, offsetBy: front.count)
        return start <= last ? String(key[start..<last]) : nil
      })
  }
}

/// Typed access. Each function throws `bad-setting`, with the origin of the invalid value and the
/// accepted values. Reading a key as a type other than its kind is a bug in vmx.
extension Settings {
  /// Returns a Boolean.
  package func bool(_ key: SettingKey) throws(Failure) -> Bool {
    guard case .bool(let truth) = try value(key) else { Self.broken(key) }
    return truth
  }

  /// Returns an integer.
  package func integer(_ key: SettingKey) throws(Failure) -> Int64 {
    guard case .integer(let number) = try value(key) else { Self.broken(key) }
    return number
  }

  /// Returns a number of bytes, or of bytes per second.
  package func size(_ key: SettingKey) throws(Failure) -> ByteCount {
    guard case .size(let count) = try value(key) else { Self.broken(key) }
    return count
  }

  /// Returns a duration in milliseconds.
  package func milliseconds(_ key: SettingKey) throws(Failure) -> Int64 {
    guard case .duration(let duration) = try value(key) else { Self.broken(key) }
    return duration
  }

  /// Returns the rule that selects one of several files of a video.
  package func quality(_ key: SettingKey) throws(Failure) -> Quality {
    guard case .quality(let quality) = try value(key) else { Self.broken(key) }
    return quality
  }

  /// Returns the template for the names of new media files.
  package func nameTemplate(_ key: SettingKey) throws(Failure) -> NameTemplate {
    guard case .nameTemplate(let template) = try value(key) else { Self.broken(key) }
    return template
  }

  /// Returns one of the words that the setting's kind allows.
  package func choice(_ key: SettingKey) throws(Failure) -> String {
    guard case .choice = key.entry.kind, case .text(let word) = try value(key) else {
      Self.broken(key)
    }
    return word
  }

  /// Returns an absolute path; nil if none is set.
  ///
  /// - Parameter home: the folder that replaces `~`.
  package func path(_ key: SettingKey, home: String) throws(Failure) -> String? {
    switch try value(key) {
    case nil: return nil
    case .text(let path) where key.entry.kind == .path:
      return path.hasPrefix("~") ? home + path.dropFirst() : path
    default: Self.broken(key)
    }
  }

  /// Returns a window of times of day.
  package func window(_ key: SettingKey) throws(Failure) -> TimeWindow {
    guard case .window(let window) = try value(key) else { Self.broken(key) }
    return window
  }

  /// Returns a rate in bytes per second, by the time of day.
  package func rate(_ key: SettingKey) throws(Failure) -> RateSchedule {
    guard case .rate(let schedule) = try value(key) else { Self.broken(key) }
    return schedule
  }

  /// Returns a number of bytes, or a percentage of the disk.
  package func diskQuota(_ key: SettingKey) throws(Failure) -> DiskQuota {
    guard case .diskQuota(let quota) = try value(key) else { Self.broken(key) }
    return quota
  }

  /// Returns text; nil if none is set or the text is empty.
  package func text(_ key: SettingKey) throws(Failure) -> String? {
    switch try value(key) {
    case nil: return nil
    case .text(let text) where key.entry.kind.isText: return text.isEmpty ? nil : text
    default: Self.broken(key)
    }
  }

  private static func broken(_ key: SettingKey) -> Never {
    fatalError("the setting '\(key.rawValue)' was asked for by a type that is not its kind")
  }
}
