package import VmxModel
package import VmxPresentation

/// The progress of files that are read one after the other, on standard error: a line for the file
/// and, if there are several, one for all of them.
package final class FileDisplay: Sendable {
  private let display: ProgressDisplay

  /// Creates an empty display.
  ///
  /// - Parameters:
  ///   - sink: standard error.
  ///   - terminal: returns the properties of its terminal.
  package init(
    isOff: Bool, on sink: any ByteSink,
    terminal: @escaping @Sendable () -> TerminalFacts
  ) {
    display = ProgressDisplay(isOff ? .none : .auto, on: sink, terminal: terminal)
  }

  /// Whether it never shows anything.
  package var isSilent: Bool { display.isSilent }

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - size: its size in bytes; nil if it was counted without a size.
  ///   - rest: the files of the run that have not begun, this one not included.
  package func begin(_ name: String, size: Int64?, rest: WorkAmount) {
    guard !display.isSilent else { return }
    var own = WorkAmount.zero
    own.add(fileOf: size)
    display.begin(name, own, pending: rest)
    update(name, read: 0, of: size)
  }

  /// Tells how much of a file was read.
  package func update(_ name: String, read: Int64, of size: Int64?) {
    guard !display.isSilent else { return }
    var item = ProgressItem(id: name, held: read, total: size)
    item.expected = size
    display.update(item)
  }

  /// Ends a file, whatever its outcome.
  package func end(_ name: String) {
    if !display.isSilent { display.end(episode: name) }
  }

  /// Takes the display away while something else is printed on the terminal.
  package func suspend() { display.suspend() }

  /// Shows the display again.
  package func resume() { display.resume() }

  /// Clears the display; a second call does nothing.
  package func close() { display.close() }
}
