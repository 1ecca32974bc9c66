import ArgumentParser

/// The options of tools that print more than a screen.
package struct ScreenOptions: ParsableArguments, Sendable {
  /// Whether the table is printed in a pipe too.
  @Flag(help: "Print a table even if output is not a terminal.")
  package var table = false

  /// Whether long output goes to the terminal as it is.
  @Flag(help: "Do not use a pager.")
  package var noPager = false

  package init() {}
}
