import Glibc
import VmxPresentation

/// The three standard streams of the process.
enum StandardStreams {
  /// Returns the terminal or pipe behind a stream. The width is `COLUMNS`, else that of the
  /// terminal, else 80.
  static func end(of descriptor: Int32, _ environment: Environment) -> TerminalFacts {
    guard isatty(descriptor) == 1 else { return .pipe }
    var size = winsize()
    let isTold = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let width = isTold && size.ws_col > 0 ? Int(size.ws_col) : 80
    let height = isTold && size.ws_row > 0 ? Int(size.ws_row) : nil
    return TerminalFacts(isTerminal: true, width: columns ?? width, height: height)
  }
}
