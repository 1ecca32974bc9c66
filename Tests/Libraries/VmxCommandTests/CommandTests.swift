import ArgumentParser
import Testing
import VmxModel
import VmxPresentation

@testable import VmxCommand

@Suite struct CommandTests {
  private let made = MadeProcess()

  private func run(_ arguments: String...) -> CommandExit {
    SampleCommand.ended(arguments, in: made.process)
  }

  @Test func `a command prints its output and exits with status 0`() {
    #expect(run("--text", "x") == .status(.success))
    #expect(made.output.text == "x\n")
    #expect(made.errors.text.isEmpty)
  }

  @Test func `help goes to standard output, with status 0`() {
    #expect(run("--help") == .status(.success))
    #expect(made.output.text.contains("USAGE:"))
  }

  @Test func `the version line has the name and the number`() {
    #expect(run("--version") == .status(.success))
    #expect(made.output.text == "vmx-list \(Toolbox.version)\n")
  }

  @Test func `a misspelt option is reported in at most three lines, with status 64`() {
    #expect(run("--txt", "x") == .status(.usage))
    #expect(
      made.errors.text == """
        vmx-list: error[usage]: unknown option '--txt'
        hint: did you mean '--text'? 'vmx list --help' lists all options

        """)
    #expect(made.output.text.isEmpty)
  }

  @Test func `under --json a usage error is one object`() {
    #expect(run("--json", "--txt") == .status(.usage))
    #expect(made.errors.text.hasPrefix(#"{"schema":1,"tool":"vmx-list","error":{"code":"usage""#))
    #expect(made.errors.text.split(separator: "\n").count == 1)
  }

  @Test func `an error with a code is printed with its hint and determines the status`() {
    #expect(run("--fail", "no-file") == .status(.noInput))
    #expect(
      made.errors.text
        == "vmx-list: error[no-file]: failed\nhint: \(ErrorCode.noFile.entry.hint)\n")
  }

  @Test func `the final error is printed even under --quiet`() {
    #expect(run("--quiet", "--fail", "no-file") == .status(.noInput))
    #expect(!made.errors.text.isEmpty)
  }

  @Test func `a reader that has exited ends the tool by SIGPIPE`() {
    var process = made.process
    process.output = BrokenSink(.closed)
    #expect(SampleCommand.ended(["--text", "x"], in: process) == .signal(13))
    #expect(made.errors.text.isEmpty)
  }

  @Test(arguments: [["--text", "x"], ["--help"]])
  func `an unwritable result is a separate error`(arguments: [String]) {
    var process = made.process
    process.output = BrokenSink(.failed(reason: "no space left on device"))
    #expect(SampleCommand.ended(arguments, in: process) == .status(.ioError))
    #expect(made.errors.text.hasPrefix("vmx-list: error[output-failed]: "))
  }

  @Test func `an exit after all messages prints nothing more`() {
    #expect(run("--end") == .status(.someFailed))
    #expect(made.errors.text.isEmpty)
  }
}

private struct SampleCommand: Command {
  static let configuration = CommandConfiguration(tool: "list", usage: "vmx list")

  @OptionGroup var output: OutputOptions
  @Option var text: String?
  @Option var fail: String?
  @Flag var end = false

  func perform(in context: CommandContext) throws {
    if end { throw CommandExit.status(.someFailed) }
    if let code = fail.flatMap({ ErrorCode(rawValue: $0) }) { throw Failure(code, "failed") }
    if let text { try context.output.write(text + "\n") }
  }
}

/// A stream that refuses every write.
private final class BrokenSink: ByteSink {
  private let error: OutputError

  init(_ error: OutputError) { self.error = error }

  func write(_ bytes: [UInt8]) throws(OutputError) {}
  func flush() throws(OutputError) { throw error }
}
