/// Whether the network is paid for by the byte, and who says so.
package struct MeteredVerdict: Sendable, Equatable {
  /// What is said.
  package enum Word: String, Sendable, CaseIterable {
    case yes, no, unknown
  }

  /// Who says it.
  package enum Origin: Sendable, Equatable {
    /// The person, by a variable, a setting or a command of the settings with this name.
    case given(String)
    /// The part of the system with this name.
    case detected(String)
  }

  /// What is said.
  package let word: Word
  /// Who says it.
  package let origin: Origin

  /// A verdict.
  package init(_ word: Word, _ origin: Origin) {
    self.word = word
    self.origin = origin
  }

  /// Whether bytes are paid for; unknown counts as not. A verdict that was given counts for every
  /// address, one that was detected spares loopback.
  package func holds(loopback isLoopback: Bool) -> Bool {
    guard word == .yes else { return false }
    if case .detected = origin { return !isLoopback }
    return true
  }

  /// The name of who says it.
  package var source: String {
    switch origin {
    case .given(let name), .detected(let name): name
    }
  }
}
