import ArgumentParser

/// The options of tools that print more than a screen.
package struct ScreenOptions: ParsableArguments, Sendable {
  /// Whether the table is printed in a pipe too.
  @Flag(help: "Print the table in a pipe too.")
  package var table = false

  /// Whether long output goes to the terminal as it is.
  @Flag(help: "Page nothing, however long it is.")
  package var noPager = false

  package init() {}
}
