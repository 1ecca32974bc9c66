import VmxModel
import VmxPlugins
import VmxPresentation

/// The text of `vmx help`.
enum Overview {
  private static let purpose =
    "vmx keeps a library of video episodes that can be watched offline.\n"

  /// Returns the tools that are installed, by what a person wants, within 30 lines: those to start
  /// with one by one, the others by name.
  ///
  /// - Parameter isEmpty: whether the library has no episodes; then the next step is named.
  static func text(_ hits: [ToolFinder.Candidate], isEmpty: Bool) -> String {
    let found = Set(hits.map(\.name))
    var text = purpose + "\nusage: vmx [-C DIR] [-c KEY=VALUE]... TOOL [ARGUMENT]...\n"
    text += list(of: .start, found) + "\n"
    for group in ToolGroup.allCases where ![.start, .reference].contains(group) {
      var names = Toolbox.tools.filter { $0.group == group }.map(\.name)
      names += Toolbox.links.filter { $0.group == group }.map(\.name)
      names = names.filter { found.contains(Toolbox.link(named: $0)?.target ?? $0) }
      guard !names.isEmpty else { continue }
      text += line(group.title, names.joined(separator: " "), width: 20)
    }
    if isEmpty {
      text += """

        The library is empty. Next:
          vmx fetch URL      to download a film
          vmx add FILE       to add one that you have
          vmx feed add URL   to follow a podcast or another feed

        """
    }
    return text
      + "\nSee 'vmx help TOOL', 'vmx help WORDS' to search, 'vmx help -a' for all tools.\n"
  }

  /// Returns all installed tools with their summaries, the aliases of vmx, and the plugins and
  /// aliases of the user.
  static func fullText(_ hits: [ToolFinder.Candidate], plugins: [Plugin]) -> String {
    let found = Set(hits.map(\.name))
    var text = """
      \(purpose)
      usage: vmx [-C DIR] [-c KEY=VALUE]... [--no-pager] [--exec-path=DIR] TOOL [ARGUMENT]...
             vmx --version [--verbose] | --exec-path | --list-cmds[=GROUPS]
             vmx help [-a] [TOOL | WORD...]

      """
    for group in ToolGroup.allCases { text += list(of: group, found) }
    return text + links(found) + others(plugins)
      + "\nSee 'vmx help TOOL', 'vmx help WORDS' to search.\n"
  }

  private static func list(of group: ToolGroup, _ found: Set<String>) -> String {
    let tools = Toolbox.tools.filter { $0.group == group && found.contains($0.name) }
    guard !tools.isEmpty else { return "" }
    return "\n\(group.title)\n" + tools.map { line("  \($0.name)", $0.summary) }.joined()
  }

  /// Returns names, one per line: of the given groups (`main` is all tools of vmx, `others` all
  /// other tools, `aliases` those of the settings), or of all tools if no group is given.
  ///
  /// - Throws: `usage` for an unknown group.
  static func names(
    _ hits: [ToolFinder.Candidate], aliases: [String] = [], groups: [String]
  ) throws(Failure) -> String {
    let known = ["main", "others", "aliases"] + ToolGroup.allCases.map(\.rawValue)
    for group in groups where !known.contains(group) {
      throw Failure(
        .usage, "unknown group '\(group)'",
        hint: "available groups: \(known.joined(separator: ", "))")
    }
    let names = hits.filter { $0.hiddenBy == nil }.map(\.name)
    let chosen = names.filter { name in
      guard !groups.isEmpty else { return true }
      guard let tool = Toolbox.tool(named: name) else { return groups.contains("others") }
      return groups.contains("main") || groups.contains(tool.group.rawValue)
    }
    return (chosen + aliases).map { $0 + "\n" }.joined()
  }

  private static func links(_ found: Set<String>) -> String {
    let links = Toolbox.links.filter { $0.target.map(found.contains) == true }
    guard !links.isEmpty else { return "" }
    return "\nAliases\n" + links.map { line("  \($0.name)", $0.summary) }.joined()
  }

  private static func others(_ plugins: [Plugin]) -> String {
    func section(_ title: String, _ lines: [String]) -> String {
      lines.isEmpty ? "" : "\n\(title)\n" + lines.joined()
    }
    let usable = plugins.filter(\.isUsable)
    let hidden = plugins.filter { $0.kind == .plugin && $0.hiddenBy != nil }
    return section(
      "Plugins",
      usable.filter { $0.kind == .plugin }.map { line("  \($0.name)", $0.summary ?? $0.path ?? "") }
    )
      + section(
        "Aliases of the settings",
        usable.filter { $0.kind == .alias }.map { line("  \($0.name)", $0.summary ?? "") })
      + section(
        "Shadowed by another tool of the same name",
        hidden.map { line("  \($0.name)", "\($0.path ?? ""), by \($0.hiddenBy ?? "")") })
  }

  static func line(_ name: String, _ text: String, width: Int = 12) -> String {
    "\(name)\(String(repeating: " ", count: max(1, width - name.utf8.count)))"
      + "\(TerminalText.escaped(text))\n"
  }
}
