package import VmxModel
package import VmxPresentation

/// The progress of files that are read sequentially, on standard error: a line for the current file
/// and, if there are several, one for the total.
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
  ///   - size: its size in bytes; nil if `rest` had counted the file without a size.
  ///   - rest: the files of the run that have not begun, excluding this one.
  package func begin(_ name: String, size: Int64?, rest: WorkAmount) {
    guard !display.isSilent else { return }
    var own = WorkAmount.zero
    own.add(fileOf: size)
    display.begin(name, own, pending: rest)
    update(name, read: 0, of: size)
  }

  /// Reports how many bytes of a file have been read.
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

  /// Erases the display while other output is printed on the terminal.
  package func suspend() { display.suspend() }

  /// Shows the display again.
  package func resume() { display.resume() }

  /// Erases the display; a second call has no effect.
  package func close() { display.close() }
}
