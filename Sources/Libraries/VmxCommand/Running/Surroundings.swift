import Glibc
package import VmxModel
package import VmxPresentation
import VmxSystem

/// All external effects of a tool: streams, clock, environment. Tests create their own.
package struct Surroundings: Sendable {
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
  /// The terminal or pipe behind standard output; the palette is chosen later.
  package var outputEnd: TerminalFacts
  /// The terminal or pipe behind standard error; the palette is chosen later.
  package var errorsEnd: TerminalFacts
  /// The terminal behind standard output at the time of the call, because the window size may
  /// change.
  package var outputEndNow: @Sendable () -> TerminalFacts

  /// Creates surroundings, usually for a test.
  package init(
    output: any ByteSink, errors: any ByteSink, input: any ByteSource, clock: any WallClock,
    environment: Environment, outputEnd: TerminalFacts = .pipe, errorsEnd: TerminalFacts = .pipe
  ) {
    self.output = output
    self.errors = errors
    self.input = input
    self.clock = clock
    self.environment = environment
    self.outputEnd = outputEnd
    self.errorsEnd = errorsEnd
    outputEndNow = { outputEnd }
  }

  /// Returns the surroundings of this process.
  package static func ofProcess() -> Surroundings {
    let environment = Environment.ofProcess()
    var surroundings = Surroundings(
      output: DescriptorSink(STDOUT_FILENO), errors: DescriptorSink(STDERR_FILENO),
      input: DescriptorSource(STDIN_FILENO), clock: SystemClock(), environment: environment,
      outputEnd: StandardStreams.end(of: STDOUT_FILENO, environment),
      errorsEnd: StandardStreams.end(of: STDERR_FILENO, environment))
    surroundings.outputEndNow = { StandardStreams.end(of: STDOUT_FILENO, environment) }
    return surroundings
  }
}
