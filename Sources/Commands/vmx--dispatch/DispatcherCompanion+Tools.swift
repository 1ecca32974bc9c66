import Glibc
import SystemPackage
import VmxConfiguration
import VmxModel
import VmxPlugins
import VmxPresentation
import VmxSettings
import VmxSystem

/// Tools, plugins and aliases: what `vmx NAME` and `vmx help NAME` run.
extension DispatcherCompanion {
  /// Runs a tool or an alias, or prints the help of one.
  func runTool() throws(Failure) {
    var known: Settings?
    let resolution = try AliasResolution(
      line,
      aliases: { name throws(Failure) in
        if known == nil { known = try settings() }
        return known?.alias(named: name)
      }, isTool: finder.isTool)
    let line = resolution.line
    for folder in line.folders.dropFirst(self.line.folders.count) { try Self.change(to: folder) }
    if let shellLine = resolution.shellLine, let alias = resolution.expanded.last {
      guard case .run(_, let arguments) = line.request else {
        return try Self.write(
          "'\(alias.name)' is an alias of '!\(TerminalText.escaped(shellLine))'\n")
      }
      try prepare(line, for: Self.shell)
      return try run(shellLine, of: alias, arguments)
    }
    switch line.request {
    case .run(let name, let arguments): try exec(name, arguments, of: resolution)
    case .help(let words):
      for alias in resolution.expanded {
        Self.tell("'\(alias.name)' is an alias of '\(TerminalText.escaped(alias.text ?? ""))'\n")
      }
      try help(words, resolution)
    case .version, .execPath, .names, .overview:
      try DispatcherCompanion(line: line, finder: finder).run()
    }
  }

  private func exec(
    _ name: String, _ arguments: [String], of resolution: AliasResolution
  ) throws(Failure) {
    let own = finder.launcher.path(of: name)
    guard let path = own ?? finder.path(ofLink: name) else {
      throw try unknown(name, resolution.expanded)
    }
    try prepare(resolution.line, for: path)
    // The tool reads its request from `argv[0]`, even if no link of that name is installed.
    try Self.exec(path, as: own ?? "vmx-\(name)", arguments)
  }

  /// Prints the help of the tool that the first word names, or what a search for the words finds.
  ///
  /// A program that does not describe itself to vmx need not have a `--help`, and could do anything
  /// instead: it is not run.
  private func help(_ words: [String], _ resolution: AliasResolution) throws(Failure) {
    let name = words[0]
    guard finder.launcher.path(of: name) != nil || finder.path(ofLink: name) != nil else {
      let search = HelpSearch(
        words, in: OwnTools(finder.launcher), plugins: plugins().filter(\.isUsable))
      guard resolution.expanded.isEmpty, !search.text.isEmpty else {
        throw try unknown(words.joined(separator: " "), resolution.expanded)
      }
      return try Self.write(search.text)
    }
    guard Toolbox.tool(named: name) == nil, let path = finder.launcher.path(of: name),
      pluginList(aliases: []).description(of: path).summary == nil
    else { return try exec(name, ["--help"], of: resolution) }
    try Self.write(
      """
      '\(name)' is no tool of vmx and does not describe itself: '\(TerminalText.escaped(path))'
      To ask it for its help, run: vmx \(name) --help

      """)
  }

  /// Runs the line of an alias in the shell, with the arguments of the user at its end.
  private func run(
    _ shellLine: String, of alias: SettingAlias, _ arguments: [String]
  ) throws(Failure) {
    let variable = "VMX_NESTED_ALIASES"
    let depth = ToolLauncher.variable(variable).flatMap { Int($0) } ?? 0
    guard depth < Self.maxDepth else {
      throw Failure(
        .aliasLoop, "the alias '\(alias.name)' was run by an alias \(depth) times in a row")
    }
    setenv(variable, "\(depth + 1)", 1)
    try Self.exec(Self.shell, as: "sh", ["-c", "\(shellLine) \"$@\"", alias.name] + arguments)
  }

  private static let shell = "/bin/sh"
  /// The number of aliases within the shell that may run one another.
  private static let maxDepth = 10

  private static func exec(
    _ path: String, as name: String, _ arguments: [String]
  ) throws(Failure) {
    let words = arguments.map { word in
      (ArgumentText.bytes(of: word) + [0]).withUnsafeBytes {
        UnsafePointer($0.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strdup($0) })
      }
    }
    let number = ToolLauncher.exec(path, as: name, words)
    throw Failure(.toolBroken, "cannot run '\(path)': \(Self.reason(number))")
  }

  /// Returns the plugins and aliases for the overview.
  func plugins() -> [Plugin] { pluginList(aliases: readableAliases()).described() }

  /// Returns the names of the aliases that can be used.
  func usableAliases() -> [String] { pluginList(aliases: readableAliases()).usableAliases() }

  /// Returns the aliases. If the settings cannot be read, warns and returns none.
  private func readableAliases() -> [SettingAlias] {
    do throws(Failure) {
      return try settings().aliases
    } catch {
      Self.tell(FailureText.lines(error, of: Self.name, isWarning: true, Palette(isEnabled: false)))
      return []
    }
  }

  private func pluginList(aliases: [SettingAlias]) -> PluginList {
    PluginList(finder, aliases: aliases, cache: PluginList.cache(in: ProcessStart.variables()))
  }

  /// Reads the settings, with those of `-c` on this command line.
  private func settings() throws(Failure) -> Settings {
    var settings = try SettingLayers.settings(
      of: ProcessStart.variables(), workFolder: ProcessStart.workFolder())
    for parameter in line.settings { try settings.add(parameter: parameter) }
    return settings
  }

  private func unknown(
    _ name: String, _ aliases: [SettingAlias]
  ) throws(Failure) -> Failure {
    if let alias = aliases.last {
      return Failure(
        .badSetting,
        "\(alias.place): '\(name)' is not a vmx tool",
        hint: "begin the alias with the name of a tool, or with '!' and a command of the shell")
    }
    let (tools, broken) = finder.search()
    if let file = broken.first(where: { $0.name == name }) {
      return Failure(
        .unknownCommand, "'\(name)' is not a vmx tool: '\(file.path)' is not executable",
        hint: "run: chmod +x \(ShellWord.quoted(file.path))")
    }
    let names = tools.map(\.name) + ["help"] + (try settings().aliases.map(\.name))
    let near = suggestions(for: name, among: Array(Set(names)).sorted())
    let guess = near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    let hint = Toolbox.hint(forSynonym: name.lowercased()) ?? Self.hint(forOperand: name) ?? guess
    let shown = URLRedaction.redacted(operand: name)
    return Failure(.unknownCommand, "'\(shown)' is not a vmx tool", hint: hint)
  }

  /// Returns the hint for an operand that was given without a tool; nil for any other word.
  private static func hint(forOperand word: String) -> String? {
    let shown = URLRedaction.redacted(operand: word)
    if WebURL.isMeant(by: word) || SourceAdvice.withScheme(word) != nil {
      return "run 'vmx fetch URL' to add and download a URL"
    }
    if EpisodeID(valid: word) != nil { return "run 'vmx show \(shown)' or 'vmx fetch \(shown)'" }
    return word.contains("/") ? "run 'vmx add FILE' to add a file" : nil
  }

  /// Exports the tool folder, the home, the settings given by `-c`, and `--no-pager`.
  private func prepare(_ line: CommandLineReader, for path: String) throws(Failure) {
    finder.launcher.export(version: Version.text, to: path)
    if line.pagesNothing { setenv("VMX_PAGER", "cat", 1) }
    guard !line.settings.isEmpty else { return }
    let variable = SettingsParameters.variable
    let before = try SettingsParameters.parameters(of: ToolLauncher.variable(variable) ?? "")
    setenv(variable, SettingsParameters.text(of: before + line.settings), 1)
  }
}
