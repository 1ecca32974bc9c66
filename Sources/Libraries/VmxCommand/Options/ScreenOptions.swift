import ArgumentParser

/// The options of tools that print a table which may exceed the screen.
package struct ScreenOptions: ParsableArguments, Sendable {
  @OptionGroup var tableOption: TableOption
  @OptionGroup var pagerOption: PagerOption

  /// Whether a table is printed even if output is not a terminal.
  package var table: Bool { tableOption.table }

  /// Whether long output goes to the terminal without a pager.
  package var noPager: Bool { pagerOption.noPager }

  package init() {}
}

/// The option of tools that print a table.
package struct TableOption: ParsableArguments, Sendable {
  /// Whether a table is printed even if output is not a terminal.
  @Flag(help: "Print a table even if output is not a terminal.")
  package var table = false

  package init() {}
}

/// The option of tools that use a pager.
package struct PagerOption: ParsableArguments, Sendable {
  /// Whether long output goes to the terminal without a pager.
  @Flag(help: "Do not use a pager.")
  package var noPager = false

  package init() {}
}
