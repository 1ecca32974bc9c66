import Synchronization
package import VmxPresentation

/// The progress of one operation on bytes, on standard error.
package final class ByteDisplay: Sendable {
  private let display: ProgressDisplay
  private let name: String
  private let completedBytes = Atomic<Int64>(0)

  /// Creates the progress of an operation.
  ///
  /// - Parameters:
  ///   - name: the file that is written or read, as the user typed it.
  ///   - sink: standard error.
  ///   - terminal: returns the properties of its terminal.
  package init(
    of name: String, isOff: Bool, on sink: any ByteSink,
    terminal: @escaping @Sendable () -> TerminalFacts
  ) {
    self.name = name
    display = ProgressDisplay(isOff ? .none : .auto, on: sink, terminal: terminal)
  }

  /// Whether it never shows anything.
  package var isDisabled: Bool { display.isDisabled }

  /// Adds transferred bytes; the total may be unknown.
  package func add(_ count: Int, of total: Int64?) {
    let sum = completedBytes.add(Int64(count), ordering: .relaxed).newValue
    if !display.isDisabled {
      display.update(ProgressItem(id: name, completedBytes: sum, total: total))
    }
  }

  /// Erases the display while other output is printed on the terminal.
  package func suspend() { display.suspend() }

  /// Shows the display again.
  package func resume() { display.resume() }

  /// Erases the display; a second call has no effect.
  package func close() { display.close() }
}

extension CommandContext {
  /// Returns a new progress display of an operation, erased while messages are printed.
  ///
  /// - Parameters:
  ///   - name: the file that is written or read, as the user typed it.
  ///   - isOff: whether it never shows anything.
  package func byteDisplay(of name: String, isOff: Bool) -> ByteDisplay {
    let display = ByteDisplay(
      of: name, isOff: isOff, on: messages.sink, terminal: { [messages] in messages.terminal })
    messages.share(with: Messages.LiveView(suspend: display.suspend, resume: display.resume))
    return display
  }
}
