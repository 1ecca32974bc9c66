import Glibc
import VmxPresentation
import VmxSystem

/// The three standard streams as the process finds them.
enum StandardStreams {
  /// Closes holes and unwanted deaths before anything is opened.
  ///
  /// A standard stream that the caller closed would be the next file to be opened, and messages
  /// would go into the store: the hole is filled with `/dev/null`, opened so that using it fails.
  /// A file-size limit shall be an error of the write, not the end.
  static func prepare() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    ignoreFileSizeSignals()
  }

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
