import ArgumentParser

/// The options of tools whose output may exceed the screen.
package struct ScreenOptions: ParsableArguments, Sendable {
  /// Whether a table is printed even if output is not a terminal.
  @Flag(help: "Print a table even if output is not a terminal.")
  package var table = false

  /// Whether long output goes to the terminal without a pager.
  @Flag(help: "Do not use a pager.")
  package var noPager = false

  package init() {}
}
