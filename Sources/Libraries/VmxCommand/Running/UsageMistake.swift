package import ArgumentParser
package import VmxModel

// The parser suggests any option within an edit distance of three, and reports a negative number as
// a missing value. The rules here replace both.

/// A command line that the parser rejects, as the failure shown to the user.
package struct UsageMistake {
  private let summary: String
  private let arguments: [String]
  /// The command that prints the help of the tool.
  private let help: String

  /// - Parameters:
  ///   - summary: the message of the parser, as one line.
  ///   - arguments: the command line without the name of the tool.
  ///   - help: the command that prints the help of the tool.
  init(_ summary: String, in arguments: [String], help: String) {
    self.summary = summary
    self.arguments = arguments
    self.help = help
  }

  /// Returns the failure: `usage`.
  ///
  /// - Parameter helpText: returns the help of the tool, which lists its options.
  func failure(_ helpText: () -> String) -> Failure {
    if let name = Self.quoted(in: summary, after: "unknown option ") {
      let options = Self.options(in: helpText())
      var hint = Self.guess(for: name, among: options)
        .map { "did you mean '\($0)'? '\(help)' lists all options" }
      if options.contains("--root"), Toolbox.fileNameOptions.contains(name) {
        hint = "files are named by the setting 'library.template'; 'vmx path ID' prints the path"
      }
      return Failure(.usage, "unknown option '\(name)'", hint: hint)
    }
    if let option = Self.quoted(in: summary, after: "missing value for ")?.prefix(while: {
      $0 != " "
    }),
      let value = zip(arguments, arguments.dropFirst())
        .first(where: { $0 == option && Self.isNegative($1) })?.1
    {
      return Failure(.usage, negative(String(option), value))
    }
    return Failure(.usage, summary)
  }

  /// Returns the option that was probably meant: a synonym, else the most similar one; nil if none
  /// is similar.
  private static func guess(for name: String, among options: [String]) -> String? {
    if let synonym = Toolbox.option(forSynonym: name, among: options) { return synonym }
    let typed = String(name.drop { $0 == "-" })
    guard typed.utf8.count > 2 else { return nil }
    let bare = options.map { String($0.dropFirst(2)) }
    // Two edits turn one short word into any other.
    let near = suggestions(for: typed, among: bare).first { option in
      let shortest = min(typed.utf8.count, option.utf8.count)
      return option.hasPrefix(typed) || editDistance(typed, option) <= (shortest < 5 ? 1 : 2)
    }
    return near.map { "--\($0)" }
  }

  /// Returns the long options in the margin of a help text.
  private static func options(in helpText: String) -> [String] {
    helpText.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap { line in
      line.split { " ,/".contains($0) }.filter { $0.hasPrefix("--") }.map(String.init)
    }
  }

  /// Returns the quoted text that follows a beginning of the summary; nil for another beginning.
  private static func quoted(in summary: String, after beginning: String) -> String? {
    guard summary.hasPrefix(beginning) else { return nil }
    let rest = summary.dropFirst(beginning.count)
    guard rest.first == "'", let end = rest.dropFirst().firstIndex(of: "'") else { return nil }
    return String(rest[..<end].dropFirst())
  }

  private static func isNegative(_ word: String) -> Bool {
    word.hasPrefix("-") && word.dropFirst().first?.isNumber == true
  }
}

/// Throws for an option with a negative value, which the parser accepts after an equals sign.
package func checkNotNegative(_ option: String, _ value: Int64?) throws(ValidationError) {
  if let value, value < 0 { throw ValidationError(negative(option, "\(value)")) }
}

private func negative(_ option: String, _ value: String) -> String {
  "\(option) must not be negative: '\(value)'"
}

extension Command {
  /// Rejects the options of other requests of a tool, and `--dry-run` for a request that only
  /// reads.
  ///
  /// - Parameter others: options with the request that they belong to.
  /// - Throws: `usage`.
  package func checkOptions(
    of request: String, readOnly: String,
    _ others: [(option: String, isGiven: Bool, request: String)] = []
  ) throws(Failure) {
    guard !isDryRun || request != readOnly else {
      throw Failure(.usage, "--dry-run is not valid with '\(request)', which changes nothing")
    }
    for (option, isGiven, owner) in others where isGiven && owner != request {
      throw Failure(.usage, "\(option) is only valid with '\(owner)'")
    }
  }
}
