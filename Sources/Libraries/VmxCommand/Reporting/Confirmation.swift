import VmxModel
import VmxPresentation

/// Asks a person before something that cannot be taken back.
package struct Confirmation {
  private let context: CommandContext
  private let isGiven: Bool

  /// A confirmation that may have been given already.
  ///
  /// - Parameter yes: whether `--yes` was typed; `VMX_ASSUME_YES=1` says the same.
  package init(in context: CommandContext, yes: Bool) {
    self.context = context
    isGiven = yes || context.environment["VMX_ASSUME_YES"] == "1"
  }

  /// Goes on only with a yes.
  ///
  /// - Parameter question: without its question mark.
  /// - Throws: `usage` where nobody can be asked; the end of the command where the answer is no.
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
