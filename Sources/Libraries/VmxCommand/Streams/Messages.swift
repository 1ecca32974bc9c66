import Synchronization
package import VmxModel
package import VmxPresentation

/// What a tool tells on standard error: failures, notes, progress; never the result.
///
/// A message is printed whole, above whatever moves at the bottom of the terminal. That it cannot
/// be written is no failure of the tool.
package final class Messages: Sendable {
  /// Something that redraws itself at the bottom of the terminal.
  package struct LiveView: Sendable {
    let suspend: @Sendable () -> Void
    let resume: @Sendable () -> Void

    /// - Parameters:
    ///   - suspend: takes it from the screen and keeps it away.
    ///   - resume: lets it draw itself again.
    package init(
      suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void
    ) {
      self.suspend = suspend
      self.resume = resume
    }
  }

  /// Where the messages end, with their palette.
  package let terminal: TerminalFacts
  /// The stream itself, for what draws on it.
  package let sink: any ByteSink
  private let tool: String
  private let manner: Manner
  private let live = Mutex<LiveView?>(nil)

  init(
    _ tool: String, _ sink: any ByteSink, _ terminal: TerminalFacts, _ manner: Manner
  ) {
    self.tool = tool
    self.sink = sink
    self.terminal = terminal
    self.manner = manner
  }

  /// Lets something share the terminal; nil when it is gone.
  package func share(with view: LiveView?) {
    live.withLock { $0 = view }
  }

  /// Prints a failure, in JSON where the result is JSON; also under `--quiet`.
  package func report(_ failure: Failure, at place: InputPlace? = nil, id: String? = nil) {
    if manner.isJSON {
      let object = FailureText.object(failure, of: tool, at: place, id: id)
      return write(JSONText.line(object, escaping: terminal.isTerminal))
    }
    write(FailureText.lines(failure, of: tool, at: place, id: id, terminal.palette))
  }

  /// Prints what the tool passed over, in JSON where the result is JSON; also under `--quiet`.
  package func warn(_ failure: Failure) {
    if manner.isJSON {
      return write(
        JSONText.line(
          FailureText.warning(failure, of: tool), escaping: terminal.isTerminal))
    }
    write(FailureText.lines(failure, of: tool, isWarning: true, terminal.palette))
  }

  /// Prints one line that is no failure, unless `--quiet`.
  package func note(_ text: String) {
    if !manner.isQuiet { write("\(tool): \(TerminalText.escaped(text))\n") }
  }

  /// Prints a question, without a line end, also under `--quiet`.
  func prompt(_ text: String) {
    write("\(tool): \(TerminalText.escaped(text))")
  }

  /// Prints one line under `--verbose`.
  package func detail(_ text: String) {
    if manner.isVerbose { note(text) }
  }

  /// Does what prints on the same terminal while nothing else draws there.
  package func undisturbed<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    try live.withLock { view throws(E) in
      view?.suspend()
      defer { view?.resume() }
      try body()
    }
  }

  private func write(_ text: String) {
    write(Array(text.utf8))
  }

  private func write(_ bytes: [UInt8]) {
    undisturbed {
      do throws(OutputError) {
        try sink.write(bytes)
        try sink.flush()
      } catch {
        // Standard error itself is gone: there is nobody left to tell.
      }
    }
  }
}
