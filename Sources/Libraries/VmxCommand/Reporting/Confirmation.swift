import VmxModel
import VmxPresentation

/// Asks the user to confirm an action that cannot be undone.
package struct Confirmation {
  private let context: CommandContext
  private let isGiven: Bool

  /// Creates a confirmation that the user may have given in advance.
  ///
  /// - Parameter yes: whether `--yes` was typed; `VMX_ASSUME_YES=1` has the same effect.
  package init(in context: CommandContext, yes: Bool) {
    self.context = context
    isGiven = yes || context.environment["VMX_ASSUME_YES"] == "1"
  }

  /// Asks the question, and returns only if the answer is yes.
  ///
  /// - Parameter question: the question without its question mark.
  /// - Throws: `usage` if there is no terminal to ask on; a `CommandEnding` if the answer is no.
  package func ask(_ question: String) throws {
    guard !isGiven else { return }
    guard context.input.isTerminal, context.messages.terminal.isTerminal else {
      throw Failure(.usage, "this cannot be taken back", hint: "add --yes if you mean it")
    }
    context.messages.prompt("\(question)? [y/N] ")
    let answer = String(decoding: try context.input.read(), as: UTF8.self)
    let word = answer.prefix { !$0.isWhitespace }.lowercased()
    guard ["y", "yes"].contains(word) else {
      context.messages.note("nothing was done")
      throw CommandEnding.status(.someFailed)
    }
  }
}
