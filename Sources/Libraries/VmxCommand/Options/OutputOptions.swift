package import ArgumentParser
import VmxModel
package import VmxPresentation

/// The options that every tool has.
package struct OutputOptions: ParsableArguments, Sendable {
  /// Whether the result, and errors, are JSON Lines.
  @Flag(help: "Print JSON Lines; errors too, on standard error.")
  package var json = false

  /// The colour choice; nil without the option.
  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  package var color: ColorChoice?

  /// Whether only the result and failures are printed.
  @Flag(name: .shortAndLong, help: "Print no notes and no progress; failures only.")
  package var quiet = false

  /// The number of `--verbose` flags.
  @Flag(name: .shortAndLong, help: "Tell more of what is done.")
  package var verbose: Int

  package init() {}

  /// The output mode of the tool before its settings are read.
  var manner: Manner {
    Manner(
      isJSON: json, isQuiet: quiet, isVerbose: verbose > 0, color: color ?? .auto)
  }

  /// Returns the output mode of the tool; without `--color`, `color.ui` decides.
  ///
  /// - Throws: `bad-setting`.
  func manner(_ settings: Settings) throws(Failure) -> Manner {
    var manner = manner
    if color == nil {
      manner.color = ColorChoice(rawValue: try settings.choice(.color)) ?? .auto
    }
    return manner
  }
}

/// The output mode of a tool: its format, verbosity and colours.
package struct Manner: Sendable, Equatable {
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
