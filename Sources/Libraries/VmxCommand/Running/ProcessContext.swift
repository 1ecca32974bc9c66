import Glibc
package import VmxModel
package import VmxPresentation
import VmxSystem

/// The effects of a process that a tool may use: streams, clock, environment. Tests create their
/// own.
package struct ProcessContext: Sendable {
  /// Standard output.
  package var output: any ByteSink
  /// Standard error.
  package var errors: any ByteSink
  /// Standard input.
  package var input: any ByteSource
  /// The clock.
  package var clock: any WallClock
  /// The environment variables.
  package var environment: Environment
  /// Returns the terminal or pipe behind standard output, whose size may change; the palette is
  /// chosen later.
  package var outputTerminal: @Sendable () -> TerminalFacts
  /// Returns the terminal or pipe behind standard error.
  package var errorsTerminal: @Sendable () -> TerminalFacts

  /// Creates a context, usually for a test.
  ///
  /// - Parameter terminal: the terminal or pipe behind both output streams.
  package init(
    output: any ByteSink, errors: any ByteSink, input: any ByteSource, clock: any WallClock,
    environment: Environment, terminal: TerminalFacts = .pipe
  ) {
    self.output = output
    self.errors = errors
    self.input = input
    self.clock = clock
    self.environment = environment
    outputTerminal = { terminal }
    errorsTerminal = { terminal }
  }

  /// Returns the context of this process.
  package static func current() -> ProcessContext {
    let environment = Environment.ofProcess()
    var process = ProcessContext(
      output: DescriptorSink(STDOUT_FILENO), errors: DescriptorSink(STDERR_FILENO),
      input: DescriptorSource(STDIN_FILENO), clock: SystemClock(), environment: environment)
    process.outputTerminal = { terminal(behind: STDOUT_FILENO, environment) }
    process.errorsTerminal = { terminal(behind: STDERR_FILENO, environment) }
    return process
  }

  /// Returns the terminal or pipe behind a stream. The width is `COLUMNS`, else that of the
  /// terminal, else 80.
  private static func terminal(
    behind descriptor: Int32, _ environment: Environment
  ) -> TerminalFacts {
    guard isatty(descriptor) == 1 else { return .pipe }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let width = isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
    let height = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
    return TerminalFacts(isTerminal: true, width: columns ?? width, height: height)
  }
}
