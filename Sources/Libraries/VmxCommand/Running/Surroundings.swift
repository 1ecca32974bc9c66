import Glibc
package import VmxModel
package import VmxPresentation
import VmxSystem

/// Every effect that a tool can have or feel: streams, clock, environment. Tests make their own.
package struct Surroundings: Sendable {
  /// Standard output.
  package var output: any ByteSink
  /// Standard error.
  package var errors: any ByteSink
  /// Standard input.
  package var input: any ByteSource
  /// The clock.
  package var clock: any WallClock
  /// The environment's variables.
  package var environment: Environment
  /// Where standard output ends; its palette is chosen later.
  package var outputEnd: TerminalFacts
  /// Where standard error ends; its palette is chosen later.
  package var errorsEnd: TerminalFacts
  /// Where standard output ends at the moment of the call: windows change their size.
  package var outputEndNow: @Sendable () -> TerminalFacts

  /// Made surroundings.
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

  /// Those of this process.
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
