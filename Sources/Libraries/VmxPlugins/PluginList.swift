package import SystemPackage
import VmxModel
package import VmxSettings
import VmxSystem

/// The plugins on the search path and the aliases of the settings.
///
/// ```swift
/// let list = PluginList(finder, aliases: settings.aliases, cache: cacheFolder)
/// for plugin in list.described() where plugin.isUsable { print(plugin.name, plugin.summary) }
/// ```
package struct PluginList {
  private let finder: ToolFinder
  private let aliases: [SettingAlias]
  private let cache: FilePath?

  /// Creates a list; nothing is read yet.
  ///
  /// - Parameters:
  ///   - cache: the folder for descriptions; nil to store none.
  package init(_ finder: ToolFinder, aliases: [SettingAlias], cache: FilePath?) {
    self.finder = finder
    self.aliases = aliases
    self.cache = cache
  }

  /// Returns the subcommands that are no tools of vmx, and tools of vmx that another file hides or
  /// that hide one, ordered by name; those that hide others come first.
  ///
  /// - Parameter isChecking: whether the files are examined too, which reads the head of each.
  package func described(checking isChecking: Bool = false) -> [Plugin] {
    var cache = PluginCache(folder: cache)
    let (tools, broken) = finder.search()
    let own = Dictionary(grouping: tools.filter(isOwn), by: \.name)
    var plugins = tools.filter { !isOwn($0) }.map { tool in
      var plugin = Plugin(
        name: tool.name, kind: .plugin, path: tool.path, source: source(of: tool.path))
      plugin.hiddenBy = tool.hiddenBy
      if tool.hiddenBy != nil || tool.name == "help" { plugin.warnings.append(.shadowed) }
      if tool.hiddenBy == nil, Toolbox.tool(named: tool.name) != nil || own[tool.name] != nil {
        plugin.warnings.append(.shadowsTool)
      }
      describe(&plugin, at: tool.path, isChecking: isChecking, &cache)
      return plugin
    }
    plugins += broken.map { file in
      var plugin = Plugin(
        name: file.name, kind: .plugin, path: file.path, source: source(of: file.path))
      plugin.warnings = [.notExecutable]
      describe(&plugin, at: file.path, isChecking: false, &cache)
      return plugin
    }
    plugins += aliases.map(described)
    cache.save()
    return plugins.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }

  /// Returns the folder for descriptions, below the user's cache folder; nil if there is none.
  package static func cache(in variables: [String: String]) -> FilePath? {
    baseFolder("XDG_CACHE_HOME", beneathHome: ".cache", in: variables)?.pushing("vmx/plugins")
  }

  /// Returns the names of the aliases that `vmx NAME` runs, in their order.
  package func usableAliases() -> [String] {
    aliases.map(described).filter(\.isUsable).map(\.name)
  }

  /// Returns the description of the plugin at a path.
  package func description(of path: String) -> PluginDescription {
    var cache = PluginCache(folder: cache)
    defer { cache.save() }
    guard let file = PluginFile(path) else { return PluginDescription() }
    return cache.description(of: path, file, head: file.head)
  }

  private func describe(
    _ plugin: inout Plugin, at path: String, isChecking: Bool, _ cache: inout PluginCache
  ) {
    guard let file = PluginFile(path) else { return }
    let head = isChecking ? file.head : []
    let description = cache.description(of: path, file, head: isChecking ? head : file.head)
    plugin.summary = description.summary
    plugin.version = description.version
    guard isChecking else { return }
    let missing = PluginFile.missingInterpreter(
      in: head, searchPath: ToolLauncher.entries(of: ToolLauncher.variable("PATH")))
    if let missing { plugin.warnings.append(.brokenInterpreter(missing)) }
    if file.isWritableByOthers { plugin.warnings.append(.writableByOthers) }
    if description.isMalformed { plugin.warnings.append(.badDescription) }
  }

  private func described(_ alias: SettingAlias) -> Plugin {
    var plugin = Plugin(
      name: alias.name, kind: .alias, summary: alias.text, path: alias.file, source: .settings)
    plugin.hiddenBy =
      finder.launcher.path(of: alias.name) ?? finder.path(ofLink: alias.name)
    guard plugin.hiddenBy == nil, alias.name != "help" else {
      plugin.warnings.append(.shadowed)
      return plugin
    }
    do throws(Failure) {
      let resolution = try AliasResolution(
        CommandLineReader([alias.name]), aliases: { name in aliases.first { $0.name == name } },
        isTool: finder.isTool)
      if case .run(let name, _) = resolution.line.request, resolution.shellLine == nil,
        !finder.isTool(name)
      {
        plugin.warnings.append(.badAlias("'\(name)' is not a vmx tool"))
      }
    } catch {
      plugin.warnings.append(error.code == .aliasLoop ? .aliasLoop : .badAlias(error.summary))
    }
    return plugin
  }

  /// Whether a file is a tool of vmx in its own folder.
  private func isOwn(_ tool: ToolFinder.Candidate) -> Bool {
    Toolbox.tool(named: tool.name) != nil
      && tool.path == "\(finder.launcher.ownFolder)/vmx-\(tool.name)"
  }

  private func source(of path: String) -> Plugin.Source {
    let folder = FilePath(path).removingLastComponent().string
    let origin = finder.launcher.origin(of: folder)
    return origin.isOfExecPath ? .execPath : origin.isOfSearchPath ? .path : .vmx
  }
}
