package import VmxModel

/// The request settings by host: `[network]` for all hosts, overridden by sections `[host "NAME"]`.
/// If several sections match a host, the most specific one wins, key by key. A name takes
/// precedence over `*.name`, a longer name over a shorter one, and a name with a port over the same
/// name without.
package struct HostTable: Sendable {
  /// A file that a setting names, and the position of that setting.
  package struct NamedFile: Sendable, Equatable {
    /// The absolute path.
    package let path: String
    /// The setting and its position, as named in messages.
    package let setting: String
  }

  private struct Section {
    let pattern: HostPattern
    var changes: [HostKey: [SettingKind.Value]] = [:]
  }

  /// The rules for hosts that no section matches.
  package private(set) var defaultRules = HostRules()
  /// The files that settings name; the caller checks that they exist.
  package private(set) var files: [NamedFile] = []
  private var sections: [Section] = []
  private var home = "/"

  /// The section of the settings of hosts.
  static let section = "host"

  /// Creates a table with the built-in rules for all hosts.
  package init() {}

  /// Creates the table from the settings.
  ///
  /// - Parameter home: the folder that replaces `~` and contains `.netrc`.
  /// - Throws: `bad-setting`, for any host.
  package init(_ settings: Settings, home: String) throws(Failure) {
    self.home = home
    for (key, own) in [
      (HostKey.caFile, SettingKey.caFile), (.proxy, .proxy), (.netrc, .netrc),
      (.userAgent, .userAgent), (.httpVersion, .httpVersion),
    ] {
      guard let given = settings.effectiveValue(own) else { continue }
      let value = try settings.parse(given, of: own.rawValue, as: own.entry.kind)
      addFile(key, value, from: "\(given.origin.phrase): '\(own.rawValue)'")
      change(&defaultRules, key, to: [value])
    }
    for name in settings.subsections(of: Self.section) { try add(name, settings) }
    sections.sort { $0.pattern.weight < $1.pattern.weight }
  }

  /// Returns the rules for a host.
  ///
  /// - Parameters:
  ///   - host: in lower case, an IPv6 address in square brackets.
  ///   - port: its digits.
  package func rules(host: String, port: String) -> HostRules {
    var rules = defaultRules
    for section in sections where section.pattern.matches(host, port: port) {
      for (key, values) in section.changes { change(&rules, key, to: values) }
    }
    return rules
  }

  private mutating func add(_ name: String, _ settings: Settings) throws(Failure) {
    for key in HostKey.allCases {
      let whole = "host.\(name).\(key.rawValue)"
      let given = settings.all(whole)
      guard let first = given.first else { continue }
      guard let pattern = HostPattern(name) else {
        throw HostPattern.failure(name, at: first.origin)
      }
      var values: [SettingKind.Value] = []
      for each in key == .header ? given : Array(given.suffix(1)) {
        // An empty header removes the headers of earlier settings.
        guard key != .header || each.text != "" else {
          values = []
          continue
        }
        let value = try settings.parse(each, of: whole, as: key.kind)
        addFile(key, value, from: "\(each.origin.phrase): '\(whole)'")
        values.append(value)
      }
      if let index = sections.firstIndex(where: { $0.pattern == pattern }) {
        sections[index].changes[key] = values
      } else {
        sections.append(Section(pattern: pattern, changes: [key: values]))
      }
    }
  }

  private mutating func addFile(_ key: HostKey, _ value: SettingKind.Value, from setting: String) {
    guard [.caFile, .cookies, .netrc].contains(key), case .text(let path) = value else { return }
    files.append(NamedFile(path: absolute(path), setting: setting))
  }

  private func change(_ rules: inout HostRules, _ key: HostKey, to values: [SettingKind.Value]) {
    let text: String? = if case .text(let text)? = values.last { text } else { nil }
    switch key {
    case .budget:
      if case .callBudget(let budget)? = values.last { rules.budget = budget }
    case .caFile: rules.caFile = text.map(absolute)
    case .cookies: rules.cookies = text.map(absolute)
    case .userAgent: rules.userAgent = text ?? ""
    case .httpVersion: rules.httpVersion = text.flatMap(HTTPVersion.init(rawValue:)) ?? .auto
    case .proxy: rules.proxy = text.map { $0 == "none" ? .none : .url($0) } ?? .environment
    case .netrc:
      rules.netrc = values.last == .bool(true) ? "\(home)/.netrc" : text.map(absolute)
    case .header:
      rules.headers = values.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("~") ? home + path.dropFirst() : path
  }
}

/// The host pattern of a section `[host "…"]`: `example.org`, `example.org:8080` or
/// `*.example.org`, which matches all names below the domain but not the domain itself.
struct HostPattern: Sendable, Equatable {
  /// The name, or the suffix including its leading dot, in lower case.
  let name: String
  let isSuffix: Bool
  /// The port to match; nil for all.
  let port: String?

  /// Parses a pattern; nil if it is malformed.
  init?(_ text: String) {
    var rest = Substring(text.lowercased())
    let close = rest.lastIndex(of: "]") ?? rest.startIndex
    if let colon = rest[close...].firstIndex(of: ":") {
      let digits = rest[rest.index(after: colon)...]
      guard let number = UInt16(digits), number > 0, String(number) == digits else { return nil }
      port = String(digits)
      rest = rest[..<colon]
    } else {
      port = nil
    }
    isSuffix = rest.hasPrefix("*.")
    if isSuffix { rest.removeFirst() }
    guard !rest.isEmpty, rest != ".", Self.isHost(rest) else { return nil }
    name = String(rest)
  }

  /// The failure for a section whose name is not a host.
  static func failure(_ name: String, at origin: SettingOrigin? = nil) -> Failure {
    Failure(
      .badSetting, "\(origin.map { "\($0.phrase): " } ?? "")'\(name)' is not a host",
      hint: #"write [host "example.org"], [host "example.org:8080"] or [host "*.example.org"]"#)
  }

  /// The specificity: a pattern with a greater weight takes precedence.
  var weight: (Int, Int, Int) { (isSuffix ? 0 : 1, name.utf8.count, port == nil ? 0 : 1) }

  /// Whether the pattern matches a host at a port. The host is in lower case, an IPv6 address in
  /// square brackets.
  func matches(_ host: String, port: String) -> Bool {
    guard self.port == nil || self.port == port else { return false }
    guard isSuffix else { return host == name }
    return host.hasSuffix(name) && host.utf8.count > name.utf8.count
  }

  private static func isHost(_ text: Substring) -> Bool {
    if text.first == "[", text.last == "]" {
      return text.dropFirst().dropLast().utf8.allSatisfy {
        $0.isASCIIAlphanumeric || ":.%".utf8.contains($0)
      }
    }
    return text.unicodeScalars.allSatisfy {
      $0.isASCII
        ? UInt8($0.value).isASCIIAlphanumeric || "-._".unicodeScalars.contains($0)
        : $0.properties.isAlphabetic || $0.properties.isGraphemeExtend
    }
  }
}
