package import ArgumentParser
package import SystemPackage
package import VmxModel
package import VmxPresentation
import VmxSettings
import VmxStore

/// The options that every tool has.
package struct OutputOptions: ParsableArguments, Sendable {
  /// Whether the result, and errors, are JSON Lines.
  @Flag(help: "Print JSON Lines; errors too, on standard error.")
  package var json = false

  /// The colour choice; nil without the option.
  @Option(
    help: ArgumentHelp("When to use colours.", valueName: "when"))
  package var color: ColorChoice?

  /// Whether only the result and failures are printed.
  @Flag(name: .shortAndLong, help: "Print nothing unless something fails.")
  package var quiet = false

  /// The number of `--verbose` flags.
  @Flag(name: .shortAndLong, help: "Print more details.")
  package var verbose: Int

  package init() {}

  /// The output mode of the tool before its settings are read.
  var mode: OutputMode {
    OutputMode(
      isJSON: json, isQuiet: quiet, isVerbose: verbose > 0, color: color ?? .auto)
  }

  /// Returns the output mode of the tool; without `--color`, `color.ui` decides.
  ///
  /// - Throws: `bad-setting`.
  func mode(_ settings: Settings) throws(Failure) -> OutputMode {
    var mode = mode
    if color == nil {
      mode.color = ColorChoice(rawValue: try settings.choice(.color)) ?? .auto
    }
    return mode
  }
}

/// The option of a tool that can report what it would do.
package struct DryRunOption: ParsableArguments, Sendable {
  /// Whether nothing is changed.
  @Flag(name: [.customShort("n"), .long], help: "Print what would be done; change nothing.")
  package var dryRun = false

  package init() {}
}

/// The output mode of a tool: its format, verbosity and colours.
package struct OutputMode: Sendable, Equatable {
  /// Whether the result, and errors, are JSON Lines.
  package var isJSON: Bool
  /// Whether only the result and failures are printed.
  package var isQuiet: Bool
  /// Whether details are printed.
  package var isVerbose: Bool
  /// The colour choice.
  package var color: ColorChoice

  /// Creates a mode; the defaults are those of a tool without options.
  package init(
    isJSON: Bool = false, isQuiet: Bool = false, isVerbose: Bool = false,
    color: ColorChoice = .auto
  ) {
    self.isJSON = isJSON
    self.isQuiet = isQuiet
    self.isVerbose = isVerbose
    self.color = color
  }
}

extension ColorChoice: ExpressibleByArgument {}

/// The options of tools that print rows.
package struct FormOptions: ParsableArguments, Sendable {
  /// The requested fields, separated by commas.
  @Option(help: ArgumentHelp("Print only these fields, separated by commas.", valueName: "a,b"))
  package var fields: String?

  /// The requested template.
  @Option(
    help: ArgumentHelp(
      "Print each row by this template of text and {field}.",
      valueName: "template"))
  package var format: String?

  @OptionGroup var nullOption: NullOption

  package init() {}

  /// Whether rows end with NUL.
  package var null: Bool { nullOption.null }

  /// Whether a form for programs was requested.
  package var isSpecified: Bool { fields != nil || format != nil || null }

  /// Returns the requested form of output.
  ///
  /// - Parameters:
  ///   - output: the options that select JSON.
  ///   - usual: the fields if none were requested.
  ///   - isTable: whether `--table` was given. `--color always` requests a table too.
  /// - Throws: `usage` for an unknown field, an invalid template, or forms that exclude each other.
  package func form<Field: ListingField>(
    _ output: OutputOptions, usual: [Field] = Field.defaultFields, isTable: Bool = false
  ) throws(Failure) -> OutputForm<Field> {
    let asked: [Field]? = try fields.map { text throws(Failure) in try Field.fields(from: text) }
    let forms = [
      output.json ? "--json" : nil, isTable ? "--table" : nil, format.map { _ in "--format" },
      null ? "-0" : nil,
    ]
    .compactMap { $0 }
    if forms.count > 1 {
      throw Failure(
        .usage, "\(forms[0]) and \(forms[1]) exclude each other", hint: "give one of them")
    }
    if output.json { return .json(asked) }
    if null { return .nul(asked ?? Array(usual.prefix(1))) }
    guard let format else {
      let fields = asked ?? usual
      return isTable || output.color == .always ? .table(fields) : .columns(fields)
    }
    guard asked == nil else {
      throw Failure(
        .usage, "--fields and --format exclude each other", hint: "name the fields in the template")
    }
    return .template(try OutputTemplate(format))
  }
}

/// The option of tools whose rows may end with NUL.
package struct NullOption: ParsableArguments, Sendable {
  /// Whether rows end with NUL.
  @Flag(name: [.customShort("0"), .long], help: "End each row with NUL instead of a newline.")
  package var null = false

  package init() {}
}

/// The options of tools that add files to the library; each overrides a setting.
package struct LibraryOptions: ParsableArguments, Sendable {
  /// The folder for new media.
  @Option(help: ArgumentHelp("Store new media below this folder.", valueName: "dir"))
  package var root: String?

  /// The lock options.
  @OptionGroup(title: "Advanced options") package var lock: LockOptions

  package init() {}

  /// The folder for new media: the option, else `library.root`, else `library` in the library's
  /// home; always absolute.
  ///
  /// - Throws: `bad-setting`.
  package func rootFolder(in context: CommandContext) throws(Failure) -> FilePath {
    if let root { return context.environment.absolute(root) }
    return try context.rootForNewFiles()
  }
}

/// The option of tools that write to the store.
package struct LockOptions: ParsableArguments, Sendable {
  /// The lock timeout as typed.
  @Option(
    help: ArgumentHelp(
      "Wait at most this long for a lock, such as 10s.",
      valueName: "time"))
  package var lockTimeout: String?

  package init() {}

  /// Returns the lock timeout in milliseconds: the option, else `core.lock-timeout`.
  ///
  /// - Throws: `usage` for an invalid option, `bad-setting` for an invalid setting.
  package func milliseconds(in context: CommandContext) throws(Failure) -> Int64 {
    var settings = context.settings
    guard let lockTimeout else { return try settings.milliseconds(.lockTimeout) }
    settings.set(.lockTimeout, to: lockTimeout, option: "--lock-timeout")
    return try settings.milliseconds(.lockTimeout)
  }
}
