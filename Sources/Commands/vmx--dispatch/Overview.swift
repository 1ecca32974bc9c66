import VmxModel

/// The text of `vmx help`.
enum Overview {
  /// Returns the overview of the installed tools of vmx, by group; with `isAll` also aliases and
  /// tools of other vendors.
  static func text(_ hits: [ToolFinder.Candidate], isAll: Bool) -> String {
    let found = Set(hits.map(\.name))
    var text = """
      vmx keeps a library of video episodes that can be watched offline.

      usage: vmx [-C DIR] [-c KEY=VALUE]... [--no-pager] [--exec-path=DIR] TOOL [ARGUMENT]...
             vmx --version | --exec-path | --list-cmds[=GROUPS] | help [-a] [TOOL]

      """
    for group in ToolGroup.allCases {
      let tools = Toolbox.tools.filter { $0.group == group && found.contains($0.name) }
      guard !tools.isEmpty else { continue }
      text += "\n\(group.title)\n"
      for tool in tools { text += line(tool.name, tool.summary) }
    }
    if isAll { text += links(found) + others(hits) }
    return text + "\nSee 'vmx help TOOL' for the help of a tool, 'vmx help -a' for all tools.\n"
  }

  /// Returns names, one per line: of the given groups (`main` is all tools of vmx, `others` all
  /// other tools), or of all tools if no group is given.
  ///
  /// - Throws: `usage` for an unknown group.
  static func names(_ hits: [ToolFinder.Candidate], groups: [String]) throws(Failure) -> String {
    let known = ["main", "others"] + ToolGroup.allCases.map(\.rawValue)
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
    return chosen.map { $0 + "\n" }.joined()
  }

  private static func links(_ found: Set<String>) -> String {
    let links = Toolbox.links.filter { $0.target.map(found.contains) == true }
    guard !links.isEmpty else { return "" }
    return "\nAliases\n" + links.map { line($0.name, $0.summary) }.joined()
  }

  private static func others(_ hits: [ToolFinder.Candidate]) -> String {
    var text = ""
    let others = hits.filter { $0.hiddenBy == nil && Toolbox.tool(named: $0.name) == nil }
    if !others.isEmpty { text += "\nOther tools found\n" }
    for hit in others { text += line(hit.name, hit.path) }
    let hidden = hits.filter { $0.hiddenBy != nil }
    if !hidden.isEmpty { text += "\nShadowed by another tool of the same name\n" }
    for hit in hidden { text += line(hit.name, "\(hit.path), by \(hit.hiddenBy ?? "")") }
    return text
  }

  private static func line(_ name: String, _ text: String) -> String {
    "  \(name)\(String(repeating: " ", count: max(1, 10 - name.utf8.count)))\(text)\n"
  }
}
