/// All settings that hold for this run: layers over the built-in values, the later added the
/// stronger. Add them in this order: system file, user file, environment, `-c`, options.
///
/// A value is judged when it is asked for, by its kind in the table of `SettingKey`; so a wrong
/// one hinders only the tools it matters to, and a stronger layer mends it.
package struct Settings: Sendable {
  /// One value and where it was given.
  package struct Given: Sendable, Equatable {
    /// The text; nil for a key without a value.
    package let text: String?
    /// Where.
    package let origin: SettingOrigin
  }

  private var given: [String: [Given]] = [:]

  /// The built-in values alone.
  package init() {}

  /// Adds all entries of a file.
  package mutating func add(_ file: SettingsFile) {
    for entry in file.entries {
      given[entry.key, default: []].append(Given(text: entry.value, origin: entry.origin))
    }
  }

  /// Adds the variables that stand for settings, such as `VMX_FETCH_JOBS`; empty ones count as
  /// unset.
  package mutating func add(environment: [String: String]) {
    for key in SettingKey.allCases where !key.isForFilesAlone {
      guard let text = environment[key.variable], !text.isEmpty else { continue }
      given[key.rawValue, default: []].append(
        Given(text: text, origin: .environment(key.variable)))
    }
  }

  /// Adds what follows `-c`: `section.key=value`, or `section.key` alone for true.
  ///
  /// - Throws: `bad-setting` where no key can be seen in it, or one that only files may give.
  package mutating func add(parameter: String) throws(Failure) {
    let halves = parameter.utf8.split(
      separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    let name = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    guard let section = name.first, let key = name.last, name.count > 1, !section.isEmpty,
      !key.isEmpty
    else {
      throw Failure(
        .badSetting, "\(SettingOrigin.parameter.phrase): '\(halves[0])' is no setting",
        hint: "write -c section.key=value")
    }
    let middle = name.dropFirst().dropLast()
    let whole = ([section.lowercased()] + middle.map(String.init) + [key.lowercased()])
      .joined(separator: ".")
    guard SettingKey(rawValue: whole)?.isForFilesAlone != true else {
      throw Failure(
        .badSetting,
        "\(SettingOrigin.parameter.phrase): '\(whole)' can be given in a settings file alone",
        hint: "write it into your settings file")
    }
    given[whole, default: []].append(
      Given(text: halves.count == 2 ? halves[1] : nil, origin: .parameter))
  }

  /// Adds the value of an option of the tool.
  package mutating func set(_ key: SettingKey, to text: String, option: String) {
    given[key.rawValue, default: []].append(Given(text: text, origin: .option(option)))
  }

  /// Every value given for any key, known or not, the weakest first; the built-in one is not
  /// among them. Sections and keys are in lower case.
  package func all(_ key: String) -> [Given] { given[key] ?? [] }

  /// The value that counts and where it was given; nil for a key without any.
  package func winner(_ key: SettingKey) -> Given? {
    given[key.rawValue]?.last
      ?? key.entry.builtIn.map { Given(text: $0, origin: .builtIn) }
  }

  /// Judges all known settings at once.
  ///
  /// - Throws: `bad-setting` for the first wrong one in the order of the table.
  package func validate() throws(Failure) {
    for key in SettingKey.allCases { _ = try value(key) }
  }

  func value(_ key: SettingKey) throws(Failure) -> SettingKind.Value? {
    guard let winner = winner(key) else { return nil }
    return try judged(winner, key.rawValue, key.entry.kind)
  }

  /// What is given for a key, by the key's kind.
  func judged(
    _ given: Given, _ key: String, _ kind: SettingKind
  ) throws(Failure) -> SettingKind.Value {
    guard let value = kind.value(of: given.text) else {
      let shown = kind.isSecret ? "is wrong" : "is '\(given.text ?? "")'"
      let found = given.text == nil ? "has no value" : shown
      throw Failure(
        .badSetting, "\(given.origin.phrase): '\(key)' \(found), allowed is \(kind.allowed)",
        hint: "give '\(key)' one of the values allowed there")
    }
    return value
  }

  /// The names of all sections `[SECTION "NAME"]` that hold anything, in no order.
  func subsections(of section: String) -> Set<String> {
    let front = section + "."
    return Set(
      given.keys.compactMap { key in
        guard key.hasPrefix(front), let last = key.lastIndex(of: ".") else { return nil }
        let start = key.index(key.startIndex, offsetBy: front.count)
        return start <= last ? String(key[start..<last]) : nil
      })
  }
}
