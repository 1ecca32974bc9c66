import ArgumentParser
import VmxCommand
import VmxConfiguration
import VmxModel
import VmxPresentation
import VmxSettings
import VmxSystem

/// Reads, changes and explains settings.
@main
struct ConfigCommand: RowCommand, DryRunCommand {
  static let configuration = CommandConfiguration(
    tool: "config", usage: "vmx config <request> [<options>] [<key>] [<value>]",
    discussion: """
      The requests are get KEY, set KEY VALUE, unset KEY, list, edit, path and explain KEY. \
      'set', 'unset' and 'edit' change the file of the user and keep all of its other bytes.

      vmx config set fetch.jobs 6
      vmx config list --show-origin
      vmx config explain network.window
      vmx config set host.example.org.proxy none
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var form: FormOptions

  @Flag(help: "With 'list': print also where each value comes from.")
  var showOrigin = false

  @Flag(
    name: .shortAndLong,
    help: "With 'list': also built-in and overridden values; with 'path': all files.")
  var all = false

  @Flag(help: "With 'set': add a line to a setting whose lines add up, such as header.")
  var add = false

  @OptionGroup var dryRunOption: DryRunOption

  @Argument(
    help: ArgumentHelp("The request, then a setting, then its value.", valueName: "request"),
    completion: .list(ConfigRequest.allCases.map(\.rawValue)))
  var words: [String] = []

  static var worksWithoutSettings: Bool { true }

  func perform(in context: CommandContext) throws {
    let request = try request()
    switch request {
    case .list: try list(in: context)
    case .path: try printPath(in: context)
    case .edit: try SettingsEditor(in: context).edit()
    case .get: try get(try name(), in: context)
    case .explain: try explain(try name(), in: context)
    case .set, .unset: try change(request, try name(), in: context)
    }
  }

  private func list(in context: CommandContext) throws {
    let usual: [SettingField] = showOrigin ? [.key, .value, .origin] : [.key, .value]
    let settings = try context.readSettings()
    for warning in settings.warnings + settings.invalidValues { context.messages.warn(warning) }
    let reporter = RowReporter<SettingRow>(
      try form.form(output, usual: usual), usual: usual, in: context)
    let listed = settings.listed(isAll: all)
    for setting in listed {
      try reporter.print(SettingRow(setting, context.settingsFiles), flushing: false)
    }
    let note = "no setting is set; 'vmx config list --all' lists all with their built-in values"
    try reporter.finish(notes: listed.isEmpty && !output.json ? [note] : [])
  }

  private func get(_ name: SettingName, in context: CommandContext) throws {
    let form: OutputForm<SettingField> = try form.form(output, usual: [.value])
    let values = try context.values(of: name).filter(\.isEffective)
    let reporter = RowReporter<SettingRow>(form, usual: [.value], in: context)
    for value in values {
      let row = SettingRow(value, context.settingsFiles)
      if form.isDefault([.value]) {
        let text = row.exact(.value)
        try context.output.write(
          (context.terminal.isTerminal ? TerminalText.escaped(text) : text) + "\n")
      } else {
        try reporter.print(row, flushing: false)
      }
    }
    guard values.isEmpty else { return try reporter.finish(notes: []) }
    context.messages.note("'\(name.text)' is not set, and has no built-in value")
    throw CommandExit.status(.someFailed)
  }

  private func explain(_ name: SettingName, in context: CommandContext) throws {
    let form: OutputForm<SettingField> = try form.form(output)
    let values = try context.values(of: name)
    if form.isDefault() {
      return try context.output.write(
        SettingDetails(name, values, files: context.settingsFiles).details.text(context.terminal))
    }
    let reporter = RowReporter<SettingRow>(form, in: context)
    for value in values.isEmpty ? [ListedSetting(of: name)] : values {
      try reporter.print(SettingRow(value, context.settingsFiles), flushing: false)
    }
    try reporter.finish(notes: [])
  }

  private func printPath(in context: CommandContext) throws {
    let files = context.settingsFiles
    _ = try context.folder("XDG_CONFIG_HOME", beneathHome: ".config")
    let paths = all ? files.all : files.user.map { [$0] } ?? []
    for path in paths {
      try context.output.write(form.null ? "\(path)\0" : "\(path)\n")
    }
  }

  private func change(
    _ request: ConfigRequest, _ name: SettingName, in context: CommandContext
  ) throws {
    let reporter = RowReporter<SettingRow>(try form.form(output), in: context)
    let value = request == .set ? words[2] : nil
    let change = try SettingChange(name, value, isAdded: add, in: context)
    let (setting, result) = try change.perform()
    let row = SettingRow(setting, context.settingsFiles, result: context.reported(result))
    try reporter.report(
      result, output.json || form.isSpecified ? row : nil, of: name.text)
    try reporter.finish(notes: change.notes(about: row))
  }
}

/// The requests of `vmx config`.
enum ConfigRequest: String, CaseIterable {
  case get, set, unset, list, edit, path, explain

  /// The names of its operands.
  var operands: [String] {
    switch self {
    case .list, .edit, .path: []
    case .get, .unset, .explain: ["KEY"]
    case .set: ["KEY", "VALUE"]
    }
  }
}

extension ConfigCommand {
  /// Returns the request, after the check of its operands and options.
  private func request() throws(Failure) -> ConfigRequest {
    let names = ConfigRequest.allCases.map(\.rawValue)
    guard let word = words.first else {
      throw Failure(
        .usage, "no request given", hint: "available requests: \(names.joined(separator: ", "))")
    }
    guard let request = ConfigRequest(rawValue: word) else {
      let isName = SettingName(word)?.facts != nil
      let near = suggestions(for: word, among: names).first
      throw Failure(
        .usage, "unknown request '\(word)'",
        hint: isName
          ? "run 'vmx config get \(word)', or 'vmx config set \(word) VALUE'"
          : near.map { "did you mean '\($0)'?" }
            ?? "available requests: \(names.joined(separator: ", "))")
    }
    guard words.count == request.operands.count + 1 else {
      let usage = (["vmx config", request.rawValue] + request.operands).joined(separator: " ")
      throw Failure(
        .usage,
        "'\(request.rawValue)' takes \(request.operands.isEmpty ? "no operands" : request.operands.joined(separator: " and "))",
        hint: words.count > 3 && request == .set
          ? "quote a value with blanks: \(usage)" : "give '\(usage)'")
    }
    try checkOptions(
      of: request.rawValue, readOnly: [.set, .unset].contains(request) ? "" : request.rawValue,
      [("--show-origin", showOrigin, "list"), ("--add", add, "set")])
    guard !all || [.list, .path].contains(request) else {
      throw Failure(.usage, "--all is only valid with 'list' and 'path'")
    }
    return request
  }

  private func name() throws(Failure) -> SettingName {
    guard let name = SettingName(words[1]) else {
      let near = SettingKey.allCases.map(\.rawValue).filter { $0.hasSuffix(".\(words[1])") }
      throw Failure(
        .usage, "'\(words[1])' is not a setting",
        hint: near.isEmpty
          ? "give section and key, such as fetch.jobs"
          : "did you mean \(near.map { "'\($0)'" }.joined(separator: ", "))?")
    }
    return name
  }
}
