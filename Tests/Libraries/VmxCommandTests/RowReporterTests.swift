import Synchronization
import SystemPackage
import Testing
import VmxModel
import VmxPresentation
import VmxTestSupport

@testable import VmxCommand

@Suite struct RowReporterTests {
  private let made = MadeProcess()
  private let gone = OperationResult.failed(Failure(.httpGone, "gone", hint: "look elsewhere"))

  @Test func `in a pipe each outcome is a record, and the tally goes to standard error`() throws {
    let reporter = RowReporter<OutcomeRow>(.json(nil), in: made.context(OutputMode(isJSON: true)))
    try reporter.report(.done, of: "a/b")
    try reporter.finish()
    #expect(
      made.output.text == "{\"schema\":1,\"id\":\"a/b\",\"stage\":\"test\",\"outcome\":\"done\"}\n")
    #expect(made.errors.text == "vmx-test: 1 done\n")
  }

  @Test func `rows of one batch may be written together`() throws {
    let sink = CountingSink()
    let process = ProcessContext(
      output: sink, errors: made.errors, input: made.input, clock: FixedClock(),
      environment: Environment([:], workFolder: "/folder"))
    let context = CommandContext("vmx-test", mode: OutputMode(), process: process)
    let reporter = RowReporter<OutcomeRow>(.columns([.id]), in: context)
    for id in ["a/1", "a/2"] {
      try reporter.report(.done, of: id, flushing: false)
    }
    #expect(sink.flushes == 0)
    try reporter.flush()
    #expect(sink.flushes == 1)
    try reporter.report(.done, of: "a/3")
    #expect(sink.flushes == 2)
  }

  @Test func `a failed item determines the exit status`() throws {
    let reporter = RowReporter<OutcomeRow>(.columns(OutcomeField.defaultFields), in: made.context())
    try reporter.report(gone, of: "a/b")
    #expect(throws: CommandExit.status(.unavailable)) { try reporter.finish() }
    #expect(made.output.text == "a/b\tfailed\t\thttp-gone\t\t\n")
    #expect(
      made.errors.text == """
        vmx-test: a/b: error[http-gone]: gone
        hint: look elsewhere
        vmx-test: 1 failed

        """)
  }

  @Test func `under --quiet there is no tally`() throws {
    let reporter = RowReporter<OutcomeRow>(
      .json(nil), in: made.context(OutputMode(isJSON: true, isQuiet: true)))
    try reporter.report(.done, of: "a/b")
    try reporter.finish()
    #expect(made.errors.text.isEmpty)
  }

  @Test func `a bad line makes the run fail if nothing else did`() throws {
    let reporter = RowReporter<OutcomeRow>(.json(nil), in: made.context())
    try reporter.report(.done, of: "a/b")
    reporter.reportInvalidLine(
      Failure(.badLine, "bad", hint: ""), at: InputPosition("stdin", line: 2, column: 1))
    #expect(throws: CommandExit.status(.dataError)) { try reporter.finish() }
    #expect(made.errors.text.hasPrefix("vmx-test: stdin:2:1: error[bad-line]: bad\n"))
  }

  // Forty lines with the same mistake were eighty lines of messages.
  @Test func `the same error of many lines is reported with a count`() throws {
    let reporter = RowReporter<OutcomeRow>(.columns([.id]), in: made.context())
    for line in 1...40 {
      reporter.reportInvalidLine(
        Failure(.badURL, "'a \(line)' contains blanks", hint: "quote it"),
        at: InputPosition("stdin", line: line, column: 1))
    }
    reporter.reportInvalidLine(
      Failure(.badLine, "not a JSON object", hint: ""),
      at: InputPosition("stdin", line: 41, column: 1))
    #expect(throws: CommandExit.status(.dataError)) { try reporter.finish() }
    #expect(
      made.errors.text == """
        vmx-test: stdin:1:1: error[bad-url]: 'a 1' contains blanks
        hint: quote it
        vmx-test: stdin:2:1: error[bad-url]: 'a 2' contains blanks
        hint: quote it
        vmx-test: stdin:3:1: error[bad-url]: 'a 3' contains blanks
        hint: quote it
        vmx-test: stdin:41:1: error[bad-line]: not a JSON object
        vmx-test: stdin:4:1: error[bad-url]: … and 37 more lines with the same error (lines 4-40)
        vmx-test: 41 bad lines

        """)
  }

  @Test func `in JSON each invalid line is an object of its own`() throws {
    let reporter = RowReporter<OutcomeRow>(
      .json(nil), in: made.context(OutputMode(isJSON: true, isQuiet: true)))
    for line in 1...40 {
      reporter.reportInvalidLine(
        Failure(.badLine, "bad", hint: ""), at: InputPosition("stdin", line: line, column: 1))
    }
    #expect(throws: CommandExit.status(.dataError)) { try reporter.finish() }
    #expect(made.errors.text.split(separator: "\n").count == 40)
  }

  @Test func `on a terminal an outcome is one line that fits the width`() throws {
    var made = made
    made.terminal = TerminalFacts(isTerminal: true, width: 30)
    let reporter = RowReporter<OutcomeRow>(.columns(OutcomeField.defaultFields), in: made.context())
    try reporter.report(.done, of: "a-show/with-a-very-long-episode-id")
    #expect(made.output.text.contains("done"))
    #expect(made.output.text.contains("…"))
  }
}

/// A stream that counts how often it was flushed.
private final class CountingSink: ByteSink {
  private let count = Mutex(0)

  var flushes: Int { count.withLock { $0 } }

  func write(_ bytes: [UInt8]) throws(OutputError) {}
  func flush() throws(OutputError) { count.withLock { $0 += 1 } }
}
