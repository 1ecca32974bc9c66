package import ArgumentParser
import VmxModel
package import VmxPresentation

/// The options that every tool has.
package struct OutputOptions: ParsableArguments, Sendable {
  /// Whether the result, and errors, are JSON Lines.
  @Flag(help: "Print JSON Lines; errors too, on standard error.")
  package var json = false

  /// When to use colours.
  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  package var color: ColorChoice?

  /// Whether only the result and failures are printed.
  @Flag(name: .shortAndLong, help: "Print no notes and no progress; failures only.")
  package var quiet = false

  /// How much more is told.
  @Flag(name: .shortAndLong, help: "Tell more of what is done.")
  package var verbose: Int

  package init() {}

  /// The manner in which the tool is to speak before its settings are known.
  var manner: Manner {
    Manner(
      isJSON: json, isQuiet: quiet, isVerbose: verbose > 0, color: color ?? .auto)
  }

  /// The manner in which the tool is to speak; without `--color`, `color.ui` counts.
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

/// How a tool is to speak.
package struct Manner: Sendable, Equatable {
  /// Whether the result, and errors, are JSON Lines.
  package var isJSON: Bool
  /// Whether only the result and failures are printed.
  package var isQuiet: Bool
  /// Whether more is told.
  package var isVerbose: Bool
  /// When colours are used.
  package var color: ColorChoice

  /// A manner; unless said otherwise, that of a tool without options.
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
