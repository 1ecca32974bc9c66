import Synchronization

// A tool whose default is the whole library must not wait for standard input: a pipe without a
// writer would hold it up for ever (ssh, launchers), and rows in it may belong to the next command
// (shell loops). So it reads rows only for the operand '-', and tells of rows that wait.

/// Tells the user once that rows wait on a pipe which the tool does not read.
package final class UnreadInput: Sendable {
  private enum State { case off, watching, told }

  private let input: any ByteSource
  private let messages: Messages
  private let state = Mutex(State.off)

  init(_ input: any ByteSource, _ messages: Messages) {
    self.input = input
    self.messages = messages
  }

  /// Begins to watch, for a tool that was given nothing to select.
  func watch() {
    state.withLock { if $0 == .off { $0 = .watching } }
    check()
  }

  /// Tells of rows that have arrived by now; consumes none and never blocks. The end of the tool
  /// calls it too, because the stage before may write late.
  func check() {
    guard state.withLock({ $0 == .watching }), input.hasWaitingBytes else { return }
    state.withLock { $0 = .told }
    messages.note("rows wait on standard input and are not read; the operand '-' reads them")
  }
}

extension CommandContext {
  /// Tells once what the tool waits for if nothing arrives on standard input for a while.
  func noteAwaitedInput() {
    guard !input.arrives(within: inputPatience) else { return }
    messages.note("waiting for ids or rows on standard input; give ids or filters to read none")
  }
}
