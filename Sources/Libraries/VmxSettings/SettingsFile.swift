package import VmxModel

/// The entries of a settings file in git's syntax, not yet validated.
///
/// The syntax has `[section]`, `[section "subsection"]`, `key = value`, and a key alone for true.
/// `#` and `;` begin a comment outside quotes. Values may contain `\"`, `\\`, `\n`, `\t` and `\b`.
/// A backslash at the end of a line continues it on the next. Sections and keys ignore case,
/// subsections do not. Includes are not followed: `include.path` is an ordinary, unknown setting.
package struct SettingsFile: Sendable, Equatable {
  /// One line `key = value`.
  package struct Entry: Sendable, Equatable {
    /// `section.key` or `section.subsection.key`, section and key in lower case.
    package let key: String
    /// The value without quotes and escapes; nil for a key alone.
    package let value: String?
    /// The position of the key in the file.
    package let origin: SettingOrigin
  }

  /// All entries in the order of the file; a key may occur more than once.
  package let entries: [Entry]

  /// Parses the bytes of a file.
  ///
  /// - Parameter path: the name of the file for messages.
  /// - Throws: `bad-setting` naming file and line.
  package init(_ bytes: some Sequence<UInt8>, path: String) throws(Failure) {
    var parser = SettingsParser(Array(bytes), path: path)
    entries = try parser.pieces().compactMap { piece in
      guard case .entry(let value, _) = piece.content else { return nil }
      return Entry(key: piece.name, value: value, origin: .file(path, line: piece.line))
    }
  }
}

/// The encoding by which the dispatcher passes `-c key=value` to the tool that it executes. It uses
/// one environment variable, with each parameter in single quotes and blanks between them. A quote
/// within a parameter is written `'\''`.
package enum SettingsParameters {
  /// The name of the variable.
  package static let variable = "VMX_CONFIG_PARAMETERS"

  /// Encodes parameters as the variable's value, in their order.
  package static func text(of parameters: [String]) -> String {
    let quoted = parameters.map { parameter in
      let parts = parameter.utf8.split(separator: quote, omittingEmptySubsequences: false)
      return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }
    return quoted.joined(separator: " ")
  }

  /// Decodes the parameters from the variable's value, in their order.
  ///
  /// - Throws: `bad-setting` if the value is malformed.
  package static func parameters(of text: String) throws(Failure) -> [String] {
    var parameters: [String] = []
    var rest = Substring(text).utf8
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      guard !rest.isEmpty else { return parameters }
      parameters.append(try parseParameter(&rest))
    }
  }

  private static let quote = UInt8(ascii: "'")

  /// Decodes one parameter: quoted pieces and `\'` between them, up to a blank.
  private static func parseParameter(_ rest: inout Substring.UTF8View) throws(Failure) -> String {
    var word = ""
    while let first = rest.first, first != UInt8(ascii: " ") {
      let inner = rest.dropFirst()
      if first == quote, let end = inner.firstIndex(of: quote) {
        word += String(Substring(inner[..<end]))
        rest = inner[end...].dropFirst()
      } else if first == UInt8(ascii: "\\"), inner.first == quote {
        word += "'"
        rest = inner.dropFirst()
      } else {
        throw Failure(.badSetting, "variable '\(variable)': a parameter is not in single quotes")
      }
    }
    return word
  }
}

/// The origin of a setting's value.
package enum SettingOrigin: Sendable, Hashable {
  /// The table of settings.
  case builtIn
  /// A settings file, with the number of the line, from 1.
  case file(String, line: Int)
  /// The environment variable of that name.
  case environment(String)
  /// An option `-c` on the command line.
  case parameter
  /// An option of the tool, such as `--jobs`.
  case option(String)

  /// The origin as named in messages.
  package var phrase: String {
    switch self {
    case .builtIn: "the built-in value"
    case .file(let path, let line): "'\(path)' line \(line)"
    case .environment(let name): "variable '\(name)'"
    case .parameter: "option '-c'"
    case .option(let name): "option '\(name)'"
    }
  }
}

/// A setting whose name vmx does not know.
package struct UnknownSetting: Sendable, Equatable {
  /// The key, section and key in lower case.
  package let key: String
  /// The position of the key.
  package let origin: SettingOrigin
  /// Whether the name seems to be a misspelt name of vmx: an unknown key of a known section, or a
  /// section within two letters of a known one. Other sections belong to other programs.
  package let isMisspelt: Bool
  /// The nearest known key or section; nil if none is near.
  package let nearest: String?

  /// Classifies a key; nil if vmx knows it.
  package init?(_ key: String, at origin: SettingOrigin) {
    guard SettingKey(rawValue: key) == nil else { return nil }
    if origin == .environment(key) {
      (self.key, self.origin, isMisspelt) = (key, origin, true)
      nearest = Self.nearestVariable(to: key)
      return
    }
    let words = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let (section, last) = (words[0], words[words.count - 1])
    if section == Self.host, words.count > 2, HostKey(rawValue: last) != nil { return nil }
    if section == SettingAlias.section, words.count == 2 { return nil }
    self.key = key
    self.origin = origin
    let near = Self.nearest(section, among: Self.sections)
    isMisspelt = near != nil
    if let near, near != section {
      let corrected = "\(near).\(last)"
      nearest = SettingKey(rawValue: corrected) == nil ? "[\(near)]" : corrected
    } else if section == Self.host {
      let host = words.count > 2 ? words.dropFirst().dropLast().joined(separator: ".") : "NAME"
      nearest = Self.nearest(last, among: HostKey.allCases.map(\.rawValue)).map {
        "\(Self.host).\(host).\($0)"
      }
    } else {
      let keys = SettingKey.allCases.map(\.rawValue).filter { $0.hasPrefix("\(section).") }
      nearest = Self.nearest("\(section).\(last)", among: keys)
    }
  }

  /// Returns the key that an environment variable seems to be meant for: `fetch.jbos` for
  /// `VMX_FETCH_JBOS`; the name itself for a misspelt variable with another use. Nil for a variable
  /// that resembles none of vmx; it belongs to another program.
  static func key(ofVariable name: String) -> String? {
    if nearestVariable(to: name) != nil { return name }
    let words = name.dropFirst("VMX_".count).lowercased().split(separator: "_", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let isNear = nearest(name, among: SettingKey.allCases.map(\.variable)) != nil
    guard isNear || sections.contains(String(words[0])) else { return nil }
    let key = "\(words[0]).\(words[1].replacing("_", with: "-"))"
    return SettingKey(rawValue: key) == nil ? key : nil
  }

  /// The failure for a misspelt name.
  package var failure: Failure {
    guard origin != .environment(key) else {
      return Failure(
        .unknownSetting, "unknown \(origin.phrase)",
        hint: nearest.map { "did you mean '\($0)'? 'man vmx' lists all variables" })
    }
    return Failure(
      .unknownSetting, "\(origin.phrase): unknown setting '\(key)'",
      hint: nearest.map { "did you mean '\($0)'? 'vmx config list --all' lists all settings" })
  }

  /// Returns the variable that is no setting and one edit away from a name: two edits turn one
  /// short name into any other.
  private static func nearestVariable(to name: String) -> String? {
    Settings.otherVariables.first { editDistance(name, $0) == 1 }
  }

  private static let host = HostTable.section
  private static let sections = Array(
    Set(SettingKey.allCases.map { String($0.rawValue.prefix { $0 != "." }) }).union([
      host, SettingAlias.section,
    ])
  ).sorted()

  /// Returns the nearest name within an edit distance of two.
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
        .badSetting, "variable 'VMX_CONFIG': no such file '\(path)'",
        hint: "correct the path, or unset the variable to use the default files")
    }
    return (missing.map { [$0] } ?? []) + unknown.filter(\.isMisspelt).map(\.failure)
  }
}
