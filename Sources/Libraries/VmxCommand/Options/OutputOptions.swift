package import ArgumentParser
package import VmxPresentation

/// The options that every tool has.
package struct OutputOptions: ParsableArguments, Sendable {
  /// Whether the result, and errors, are JSON Lines.
  @Flag(help: "Print JSON Lines; errors too, on standard error.")
  package var json = false

  /// When to use colours.
  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  package var color: ColorChoice = .auto

  /// Whether only the result and failures are printed.
  @Flag(name: .shortAndLong, help: "Print no notes and no progress; failures only.")
  package var quiet = false

  /// How much more is told.
  @Flag(name: .shortAndLong, help: "Tell more of what is done.")
  package var verbose: Int

  package init() {}

  /// The manner in which the tool is to speak.
  var manner: Manner {
    Manner(isJSON: json, isQuiet: quiet, isVerbose: verbose > 0, color: color)
  }
}

/// How a tool is to speak.
package struct Manner: Sendable, Equatable {
  /// Whether the result, and errors, are JSON Lines.
  package var isJSON = false
  /// Whether only the result and failures are printed.
  package var isQuiet = false
  /// Whether more is told.
  package var isVerbose = false
  /// When colours are used.
  package var color = ColorChoice.auto
}

extension ColorChoice: ExpressibleByArgument {}
