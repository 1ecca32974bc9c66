import ArgumentParser
import VmxCommand
import VmxModel
import VmxPlugins
import VmxPresentation
import VmxSettings
import VmxSystem

/// Lists plugins and aliases: the subcommands of vmx that are not part of it.
@main
struct PluginCommand: RowCommand {
  static let configuration = CommandConfiguration(
    tool: "plugin", usage: "vmx plugin [<options>] list",
    discussion: """
      A plugin is an executable 'vmx-NAME' on the search path, an alias a line of the section \
      [alias] of the settings. No plugin is run: a summary comes from a line '# vmx: SUMMARY' \
      at the head of a script, or from 'vmx-NAME.json' beside it.

      Examples:
        vmx plugin list
        vmx plugin list --json | jq 'select(.warnings != [])'
        vmx -c alias.new='list --sort added --limit 9' new
      """)

  /// The request.
  enum Action: String, CaseIterable, ExpressibleByArgument {
    case list
  }

  static let worksWithoutSettings = true

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions
  @OptionGroup var screen: TableOption

  @Flag(help: "List only what 'vmx NAME' runs, in place of all that is found.")
  var usable = false

  @Argument(help: "The request.")
  var action: Action

  func perform(in context: CommandContext) throws {
    let form: OutputForm<PluginField> = try form.form(output, isTable: screen.table)
    if let failure = context.settingsFailure { context.messages.warn(failure) }
    let variables = context.environment.variables
    let list = PluginList(
      ToolFinder(launcher: .ofTool(executable: ToolLauncher.program ?? "")),
      aliases: context.settings.aliases, cache: PluginList.cache(in: variables))
    let plugins = list.described(checking: output.json || form.shows(.warnings))
      .filter { !usable || $0.isUsable }
    let reporter = RowReporter<PluginRow>(form, in: context)
    for plugin in plugins { try reporter.print(PluginRow(plugin), flushing: false) }
    try reporter.finish(notes: [])
    guard form.isDefault() else { return }
    if plugins.isEmpty {
      context.messages.note("no plugins and no aliases; 'man vmx-plugins' says how to make one")
    }
    for plugin in plugins {
      for warning in plugin.warnings {
        context.messages.note("\(plugin.name): \(plugin.sentence(about: warning))")
      }
    }
  }
}

/// A plugin or alias, as a row of output.
struct PluginRow: ListingRow {
  private let plugin: Plugin

  var id: String { plugin.name }
  var kind: RowKind? { .plugin }

  /// Creates the row of a plugin.
  init(_ plugin: Plugin) {
    self.plugin = plugin
  }

  func value(_ field: PluginField) -> RowValue {
    switch field {
    case .name: .text(plugin.name).styled(.strong)
    case .kind: .word(plugin.kind.rawValue)
    case .summary: .text(nonEmpty: plugin.summary)
    case .version: .text(nonEmpty: plugin.version)
    case .warnings: .list(plugin.warnings.map(\.word)).styled(.warning)
    case .path: .text(nonEmpty: plugin.path)
    case .source: .word(plugin.source.rawValue)
    case .hiddenBy: .text(nonEmpty: plugin.hiddenBy)
    }
  }
}
