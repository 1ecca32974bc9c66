package import VmxModel

/// Properties of the destination of an output stream.
package struct TerminalFacts: Sendable, Equatable {
  /// Whether it is a terminal.
  package var isTerminal: Bool
  /// The number of cells in a line, if it is a terminal.
  package var width: Int
  /// The number of lines; nil if it is not a terminal or does not report its height.
  package var height: Int?
  /// Whether it shows characters beyond ASCII.
  package var isUTF8: Bool
  /// Whether it obeys escape sequences; false for `TERM=dumb`.
  package var obeysEscapes = true
  /// Whether it shows a progress bar of its own (OSC 9;4).
  package var showsProgress = false
  /// The colours in use.
  package var palette: Palette

  /// Creates the facts about a stream.
  package init(
    isTerminal: Bool, width: Int = 80, height: Int? = nil, isUTF8: Bool = true,
    palette: Palette = Palette(isEnabled: false)
  ) {
    self.isTerminal = isTerminal
    self.width = width
    self.height = height
    self.isUTF8 = isUTF8
    self.palette = palette
  }

  /// The time zone for times: the user's on a terminal; nil for UTC in a pipe.
  package var zone: (any LocalZone)? { isTerminal ? SystemZone() : nil }

  /// Returns the text with `~` for each ellipsis if the terminal shows only ASCII; both have one
  /// cell.
  package func shown(_ text: String) -> String {
    guard isTerminal, !isUTF8, text.utf8.contains(0xE2) else { return text }
    return String(text.map { $0 == "…" ? "~" : $0 })
  }

  /// A stream to a pipe or a file.
  package static let pipe = TerminalFacts(isTerminal: false)
}

/// The use of colours: `--color`.
package enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Whether a stream gets colours. The option decides first, then `NO_COLOR` unless empty, then
  /// `CLICOLOR_FORCE` unless empty or `0`. Otherwise any terminal except `dumb` gets them
  /// (no-color.org, bixense.com/clicolors).
  ///
  /// - Parameter variable: returns the value of an environment variable.
  package func isEnabled(isTerminal: Bool, variable: (String) -> String?) -> Bool {
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

/// The meaning of a text, from which its colour is derived; colour is never the only carrier of
/// meaning.
package enum TextStyle: Sendable, Equatable {
  case plain, strong, dim, success, active, warning, failure
}

/// Maps tones to colours, or leaves text unchanged.
package struct Palette: Sendable, Equatable {
  /// Whether colours are used.
  package let isEnabled: Bool

  /// Creates a palette with or without colours.
  package init(isEnabled: Bool) {
    self.isEnabled = isEnabled
  }

  /// Returns the text in the colour of its tone (ECMA-48 SGR), followed by a reset.
  package func paint(_ text: String, _ tone: TextStyle) -> String {
    guard isEnabled, !text.isEmpty, let code = Self.code(of: tone) else { return text }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }

  private static func code(of tone: TextStyle) -> String? {
    switch tone {
    case .plain: nil
    case .strong: "1"
    case .dim: "2"
    case .success: "32"
    case .active: "36"
    case .warning: "33"
    case .failure: "31"
    }
  }
}
