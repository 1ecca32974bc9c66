package import VmxModel

/// A name of the user for a command line: a key of the section `[alias]`, as in git.
///
/// The settings store its text alone. Whether a tool has the same name, which then hides the alias,
/// depends on the installed tools, and so does what the text leads to.
package struct SettingAlias: Sendable, Equatable {
  /// The section of aliases.
  package static let section = "alias"

  /// The expansion of an alias, before the arguments of the user.
  package enum Expansion: Sendable, Equatable {
    /// The words of a command line of vmx.
    case words([String])
    /// A command line of the shell.
    case shell(String)
  }

  /// The name, in lower case.
  package let name: String
  /// The text in the settings; nil for a key without a value.
  package let text: String?
  /// The origin of the text; nil for one that is to be written.
  package let origin: SettingOrigin?

  /// Creates an alias.
  package init(name: String, text: String?, origin: SettingOrigin?) {
    self.name = name
    self.text = text
    self.origin = origin
  }

  /// The path of the settings file; nil for another origin.
  package var file: String? {
    if case .file(let path, _) = origin { path } else { nil }
  }

  /// Parses the text. A leading `!` begins a command line of the shell; otherwise the words are
  /// separated by blanks, with the quotes and backslashes of a shell.
  ///
  /// - Throws: `bad-setting` with the origin, for an empty text or an open quote.
  package func expansion() throws(Failure) -> Expansion {
    let text = text?.trimmed ?? ""
    if text.hasPrefix("!") {
      let line = String(text.dropFirst().trimmed)
      guard !line.isEmpty else { throw invalid("is empty") }
      return .shell(line)
    }
    guard let words = ShellWord.words(in: text) else { throw invalid("has an open quote") }
    guard !words.isEmpty else { throw invalid("is empty") }
    return .words(words)
  }

  /// The alias with its origin, for messages.
  package var place: String {
    (origin.map { "\($0.phrase): " } ?? "") + "'\(Self.section).\(name)'"
  }

  private func invalid(_ what: String) -> Failure {
    Failure(
      .badSetting, "\(place) \(what)",
      hint: "write the arguments of vmx, such as 'list --due', or '!' and a command of the shell")
  }
}

extension Settings {
  /// The aliases with their effective texts, ordered by name.
  package var aliases: [SettingAlias] {
    let front = "\(SettingAlias.section)."
    return keys.compactMap { key in
      guard key.hasPrefix(front) else { return nil }
      return alias(named: String(key.dropFirst(front.count)))
    }
  }

  /// Returns the alias of a name; nil if there is none.
  package func alias(named name: String) -> SettingAlias? {
    guard !name.contains("."), let winner = all("\(SettingAlias.section).\(name)").last else {
      return nil
    }
    return SettingAlias(name: name, text: winner.text, origin: winner.origin)
  }
}
