/// The meaning of a text, from which its colour is derived; colour never carries meaning alone.
package enum Tone: Sendable, Equatable {
  case plain, strong, dim, good, busy, held, bad
}

/// Maps tones to colours, or leaves text unchanged.
package struct Palette: Sendable, Equatable {
  /// Whether colours are used.
  package let isOn: Bool

  /// Creates a palette with or without colours.
  package init(isOn: Bool) {
    self.isOn = isOn
  }

  /// Returns the text in the colour of its tone (ECMA-48 SGR), reset at its end.
  package func paint(_ text: String, _ tone: Tone) -> String {
    guard isOn, !text.isEmpty, let code = Self.code(of: tone) else { return text }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }

  private static func code(of tone: Tone) -> String? {
    switch tone {
    case .plain: nil
    case .strong: "1"
    case .dim: "2"
    case .good: "32"
    case .busy: "36"
    case .held: "33"
    case .bad: "31"
    }
  }
}
