package import VmxModel
package import VmxSettings

/// The command line that remains after all aliases of a command line have been expanded.
///
/// An alias never hides a tool: only a name that is no tool is looked up. The arguments of the user
/// follow the words of the alias. An alias may lead to another one, but not to itself.
package struct AliasResolution {
  /// The expanded line; with a line of the shell, its request is that of the last alias.
  package private(set) var line: CommandLineReader
  /// The command line of the shell to which the last alias leads; nil for none.
  package private(set) var shellLine: String?
  /// The expanded aliases, in their order.
  package private(set) var expanded: [SettingAlias] = []

  /// Expands the aliases.
  ///
  /// - Parameters:
  ///   - aliases: returns the alias of a name.
  ///   - isTool: whether a name is that of a tool.
  /// - Throws: `alias-loop`; `bad-setting` for an alias whose text is malformed.
  package init(
    _ line: CommandLineReader, aliases: (String) throws(Failure) -> SettingAlias?,
    isTool: (String) -> Bool
  ) throws(Failure) {
    self.line = line
    if [["--help"], ["-h"]].contains(line.request.arguments), let name = line.request.name,
      !isTool(name)
    {
      self.line.requestHelp()
    }
    while let name = self.line.request.name, !isTool(name), let alias = try aliases(name) {
      guard !expanded.contains(where: { $0.name == name }) else { throw loop(at: name) }
      expanded.append(alias)
      switch try alias.expansion() {
      case .shell(let text):
        shellLine = text
        return
      case .words(let words): try expand(alias, to: words)
      }
    }
  }

  private mutating func expand(_ alias: SettingAlias, to words: [String]) throws(Failure) {
    let request = line.request
    do throws(Failure) {
      line = try line.expanding(to: words + request.arguments)
    } catch {
      throw Failure(
        .badSetting, "\(alias.place): \(error.summary)",
        hint: error.hint)
    }
    // The help of an alias is that of the tool to which it leads.
    if case .help = request { line.requestHelp() }
  }

  private func loop(at name: String) -> Failure {
    let names = expanded.map(\.name) + [name]
    return Failure(
      .aliasLoop, "the alias '\(names[0])' leads to itself: \(names.joined(separator: " -> "))")
  }
}
