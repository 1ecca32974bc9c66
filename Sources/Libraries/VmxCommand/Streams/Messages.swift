import Synchronization
package import VmxModel
package import VmxPresentation
import VmxSystem

/// The messages of a tool on standard error: failures, notes and progress, but never the result.
///
/// A message is printed whole, above a live view at the bottom of the terminal; there, its times
/// are local. A write error here is not a failure of the tool.
package final class Messages: Sendable {
  /// A view that redraws itself at the bottom of the terminal.
  package struct LiveView: Sendable {
    let suspend: @Sendable () -> Void
    let resume: @Sendable () -> Void

    /// - Parameters:
    ///   - suspend: erases the view and stops its redraws.
    ///   - resume: allows the view to redraw itself again.
    package init(
      suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void
    ) {
      self.suspend = suspend
      self.resume = resume
    }
  }

  /// Returns the terminal or pipe that receives the messages, with its palette; its size may
  /// change.
  private let terminalNow: @Sendable () -> TerminalFacts
  /// The sink of the messages, for a live view that draws on it.
  package let sink: any ByteSink
  private static let erasure = Array("\r\u{1b}[J".utf8)
  private let tool: String
  private let mode: OutputMode
  private let shared = Mutex<(view: LiveView?, question: String?)>((nil, nil))
  /// Warnings under `--quiet`, which appear only if something fails.
  private let warnings = Mutex<(held: [Failure], hasFailed: Bool)>(([], false))

  init(
    _ tool: String, sink: any ByteSink, mode: OutputMode,
    terminalNow: @escaping @Sendable () -> TerminalFacts
  ) {
    self.tool = tool
    self.sink = sink
    self.terminalNow = terminalNow
    self.mode = mode
  }

  /// The terminal or pipe that receives the messages, with its palette and its present size.
  package var terminal: TerminalFacts { terminalNow() }

  /// Whether only failures are printed.
  var isQuiet: Bool { mode.isQuiet }

  /// Sets the live view that shares the terminal; nil after it has ended. From the first view on,
  /// Ctrl-Z removes it before the process stops, and `fg` shows it again.
  package func share(with view: LiveView?) {
    shared.withLock { $0.view = view }
    guard view != nil, terminal.isTerminal, terminal.obeysEscapes else { return }
    JobControl.install { stop in self.suspendingLiveView(stop) }
  }

  /// Prints a failure, as JSON if the result is JSON; also under `--quiet`.
  package func report(_ failure: Failure, at position: InputPosition? = nil, id: String? = nil) {
    let held = warnings.withLock { warnings in
      defer { warnings = ([], true) }
      return warnings.held
    }
    for warning in held { print(warning: warning) }
    let failure = withHelp(failure)
    if mode.isJSON {
      let object = FailureText.object(failure, of: tool, at: position, id: id)
      return write(object.line(escaping: terminal.isTerminal))
    }
    write(FailureText.lines(failure, of: tool, at: position, id: id, terminal.palette))
  }

  /// Names the help of this tool in place of the catalogue's hint, which is for any tool.
  private func withHelp(_ failure: Failure) -> Failure {
    guard failure.code == .usage, failure.hint == failure.code.entry.hint else { return failure }
    return Failure(
      .usage, failure.summary, hint: "run '\(Toolbox.command(of: tool)) --help' for usage")
  }

  /// Prints a warning, as JSON if the result is JSON; under `--quiet` only once something fails.
  package func warn(_ failure: Failure) {
    let isHeld = warnings.withLock { warnings in
      guard mode.isQuiet, !warnings.hasFailed else { return false }
      warnings.held.append(failure)
      return true
    }
    if !isHeld { print(warning: failure) }
  }

  private func print(warning failure: Failure) {
    if mode.isJSON {
      return write(FailureText.warning(failure, of: tool).line(escaping: terminal.isTerminal))
    }
    write(FailureText.lines(failure, of: tool, isWarning: true, terminal.palette))
  }

  /// Prints one line that is not a failure, unless `--quiet` is set.
  package func note(_ text: String) {
    if !mode.isQuiet { write("\(tool): \(TerminalText.escaped(text))\n") }
  }

  /// Prints a question and returns what `read` reads; also under `--quiet`.
  ///
  /// The live view is suspended until the answer. Messages of other threads appear above the
  /// question.
  ///
  /// - Parameter introduction: lines above the question.
  func prompt(
    _ text: String, after introduction: [String], _ read: () throws -> [UInt8]
  ) rethrows -> [UInt8] {
    let lines = introduction.map { local("\(tool): \(TerminalText.escaped($0))\n") }
    let question = "\(tool): \(TerminalText.escaped(text))"
    shared.withLock { shared in
      shared.view?.suspend()
      shared.question = question
      send(Array((lines.joined() + question).utf8))
    }
    var answer: [UInt8] = []
    defer {
      shared.withLock { shared in
        // The terminal has printed the end of a typed line itself.
        if answer.last != 0x0A { send([0x0A]) }
        shared.question = nil
        shared.view?.resume()
      }
    }
    answer = try read()
    return answer
  }

  /// Prints one line if `--verbose` is set.
  package func detail(_ text: String) {
    if mode.isVerbose { note(text) }
  }

  /// Runs a closure that prints on the same terminal, while the live view is suspended or an open
  /// question is erased.
  package func suspendingLiveView<E: Error>(_ body: () throws(E) -> Void) throws(E) {
    try shared.withLock { shared throws(E) in
      if shared.question != nil {
        send(terminal.obeysEscapes ? Self.erasure : [0x0A])
      } else {
        shared.view?.suspend()
      }
      defer {
        if let question = shared.question {
          send(Array(question.utf8))
        } else {
          shared.view?.resume()
        }
      }
      try body()
    }
  }

  private func write(_ text: String) {
    write(Array(local(text).utf8))
  }

  private func local(_ text: String) -> String { TimeText.localised(text, in: terminal.zone) }

  private func write(_ bytes: [UInt8]) {
    suspendingLiveView { send(bytes) }
  }

  private func send(_ bytes: [UInt8]) {
    do throws(OutputError) {
      try sink.write(bytes)
      try sink.flush()
    } catch {
      // Standard error itself is closed, so the error cannot be reported.
    }
  }
}
