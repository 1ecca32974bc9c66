import Glibc
import VmxPresentation

/// The three standard streams as the process finds them.
enum StandardStreams {
  /// What a stream ends in; its width is `COLUMNS`, else what the terminal says, else 80.
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
