/// What is known of the place where an output stream ends.
package struct TerminalFacts: Sendable, Equatable {
  /// Whether it is a terminal.
  package var isTerminal: Bool
  /// Cells in a line, where it is a terminal.
  package var width: Int
  /// Lines that it shows at once; nil where it is none or does not tell.
  package var height: Int?
  /// Its colours.
  package var palette: Palette

  /// A stream that ends in a terminal.
  package init(
    isTerminal: Bool, width: Int = 80, height: Int? = nil, palette: Palette = Palette(isOn: false)
  ) {
    self.isTerminal = isTerminal
    self.width = width
    self.height = height
    self.palette = palette
  }

  /// A stream that ends in a pipe or a file.
  package static let pipe = TerminalFacts(isTerminal: false)
}

/// When colours are used: `--color`.
package enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Whether a stream gets colours: the option first, then `NO_COLOR` unless empty, then
  /// `CLICOLOR_FORCE` unless empty or `0`, else a terminal that is not `dumb` (no-color.org,
  /// bixense.com/clicolors).
  ///
  /// - Parameter variable: gives the value of an environment variable.
  package func isOn(isTerminal: Bool, variable: (String) -> String?) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if let value = variable("NO_COLOR"), !value.isEmpty { return false }
      if let value = variable("CLICOLOR_FORCE"), !value.isEmpty, value != "0" { return true }
      return isTerminal && variable("TERM") != "dumb"
    }
  }
}
