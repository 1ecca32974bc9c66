package import ArgumentParser
import Glibc
import VmxConfiguration
package import VmxModel
import VmxPresentation
import VmxSystem

/// A tool: its options, and the work that it performs.
///
/// Its `main` parses the command line, creates the context, calls `perform`, and converts the
/// result or error into text and an exit status.
///
/// ```swift
/// struct Show: Command {
///   static let configuration = CommandConfiguration(tool: "show", usage: "vmx show <id>")
///   @OptionGroup var output: OutputOptions
///   func perform(in context: CommandContext) throws {}
/// }
/// ```
package protocol Command: ParsableCommand {
  /// The options that every tool has.
  var output: OutputOptions { get }
  /// Returns the words of the process's command line that the parser reads. The first word of
  /// `line` is the name by which the tool was called.
  static func arguments(of line: [String]) -> [String]
  /// Whether the tool uses the built-in settings if the settings files cannot be read, and reports
  /// that itself.
  static var worksWithoutSettings: Bool { get }
  /// Whether output for programs was requested other than by `--json`, so that `--quiet` does not
  /// suppress it.
  var printsUnderQuiet: Bool { get }
  /// The parsed arguments that are file names; all other arguments must be UTF-8.
  var pathArguments: [String] { get }
  /// Whether the user wants to know only what the tool would do: the store is not changed, rows are
  /// `planned` instead of `done`, and a note says so at the end.
  var isDryRun: Bool { get }
  /// Performs the work of the tool.
  ///
  /// - Throws: a coded error, which is printed and gives the exit status; or a `CommandExit`
  ///   after all output.
  func perform(in context: CommandContext) throws
}

/// A tool that prints rows.
package protocol RowCommand: Command {
  /// The form of the rows.
  var form: FormOptions { get }
}

/// A tool that can report what it would do.
package protocol DryRunCommand: Command {
  /// The option that requests that.
  var dryRunOption: DryRunOption { get }
}

extension RowCommand {
  package var printsUnderQuiet: Bool { form.isSpecified }
}

extension DryRunCommand {
  package var isDryRun: Bool { dryRunOption.dryRun }
}

/// The end of a tool after all its output.
package enum CommandExit: Error, Equatable {
  /// With a status.
  case status(ExitStatus)
  /// By a signal with its default action.
  case signal(Int32)
}

extension Command {
  package static func arguments(of line: [String]) -> [String] { Array(line.dropFirst()) }
  package static var worksWithoutSettings: Bool { false }
  package var isDryRun: Bool { false }
  package var printsUnderQuiet: Bool { false }
  package var pathArguments: [String] { [] }

  /// Runs the tool with the process's own arguments and streams, and ends the process.
  ///
  /// No exit handlers are run: that of libcrypto frees its locks, and after a failure another
  /// thread may still compute a digest. All output has been flushed.
  package static func main() {
    switch started() {
    case .status(let status): Glibc._exit(status.rawValue)
    case .signal(let number):
      terminate(by: number)
      Glibc._exit(128 + number)
    }
  }

  private static func started() -> CommandExit {
    do throws(Failure) {
      try ProcessStart.prepare()
    } catch {
      let mode = OutputMode(isJSON: requestsJSON(ProcessStart.arguments))
      return ended(with: error, in: CommandContext(toolName, mode: mode, process: .current()))
    }
    ignoreFileSizeSignals()
    return ended(arguments(of: ProcessStart.arguments), in: .current())
  }

  /// Runs the tool in the given process, from parsing the command line to the last flush.
  package static func ended(
    _ arguments: [String], in process: ProcessContext
  ) -> CommandExit {
    let command: Self
    do {
      let parsed = try parseAsRoot(arguments)
      guard let parsedCommand = parsed as? Self else { throw CleanExit.helpRequest(Self.self) }
      try parsedCommand.checkEncoding(of: arguments)
      command = parsedCommand
    } catch {
      return ended(parsing: arguments, with: error, in: process)
    }
    var process = process
    if command.output.quiet, !command.output.json, !command.printsUnderQuiet {
      process.output = NullSink()
    }
    var context = CommandContext(toolName, mode: command.output.mode, process: process)
    do {
      context = try madeContext(command, process)
      context.isDryRun = command.isDryRun
      if !worksWithoutSettings { context.warnOfSettings() }
      defer {
        context.unreadInput.check()
        context.settleClock()
        context.parental.record.map { context.messages.note($0) }
      }
      try command.perform(in: context)
      if let failure = context.parental.hidingFailure { throw failure }
      try context.output.flush()
      return .status(.success)
    } catch {
      return ended(with: error, in: context)
    }
  }

  /// Throws for arguments that are not UTF-8, except for file names.
  private func checkEncoding(of arguments: [String]) throws {
    var paths = pathArguments
    for word in arguments where ArgumentText.carriesBytes(word) {
      guard let index = paths.firstIndex(where: { word == $0 || word.hasSuffix("=\($0)") }) else {
        throw ValidationError("not UTF-8: '\(word)'")
      }
      paths.remove(at: index)
    }
  }

  private static func madeContext(
    _ command: Self, _ process: ProcessContext
  ) throws(Failure) -> CommandContext {
    do throws(Failure) {
      let settings = try SettingLayers.settings(of: process.environment)
      let mode = try command.output.mode(settings)
      return CommandContext(toolName, mode: mode, process: process, settings: settings)
    } catch {
      guard worksWithoutSettings else { throw error }
      var context = CommandContext(toolName, mode: command.output.mode, process: process)
      context.settingsFailure = error
      return context
    }
  }

  /// Whether `--json` is among the options; needed for errors before the command line is parsed.
  private static func requestsJSON(_ arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains("--json")
  }

  /// The failure of a command line that the parser or a check of the tool has rejected.
  private static func usageError(_ error: any Error, in arguments: [String]) -> Failure {
    UsageMistake(
      usageSummary(of: message(for: error)), in: arguments,
      help: "\(Toolbox.command(of: toolName)) --help"
    ).failure { helpMessage(includeHidden: true) }
  }

  /// Arranges a help text: the first line names the manual page, and the advanced options come
  /// last. Any other text is unchanged.
  private static func arranged(_ text: String) -> String {
    guard text.hasPrefix("OVERVIEW:") else { return text }
    let isAdvanced = { (section: String) in section.hasPrefix("ADVANCED OPTIONS:") }
    var sections = text.split(separator: "\n\n").map(String.init)
    sections[0] += " (man \(toolName))"
    return (sections.filter { !isAdvanced($0) } + sections.filter(isAdvanced))
      .map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }.joined(separator: "\n\n")
  }

  static var toolName: String { configuration.commandName ?? "vmx" }

  private static func ended(
    parsing arguments: [String], with error: any Error, in process: ProcessContext
  ) -> CommandExit {
    let mode = OutputMode(isJSON: requestsJSON(arguments))
    let context = CommandContext(toolName, mode: mode, process: process)
    guard exitCode(for: error) == .success else {
      let failure = usageError(error, in: arguments).redacting(arguments)
      return ended(
        with: Failure(failure.code, ArgumentText.shown(failure.summary), hint: failure.hint),
        in: context)
    }
    do throws(OutputError) {
      try context.output.write(arranged(message(for: error)) + "\n")
      try context.output.flush()
      return .status(.success)
    } catch {
      return ended(with: error, in: context)
    }
  }

  private static func ended(with error: any Error, in context: CommandContext) -> CommandExit {
    var error = error
    do {
      // Rows that were printed before the failure are part of the result.
      if !(error is OutputError) { try context.output.flush() }
    } catch let late {
      error = late
    }
    if let ending = error as? CommandExit { return ending }
    if case .closed? = error as? OutputError { return .signal(SIGPIPE) }
    let failure = error is ValidationError ? usageError(error, in: []) : Failure(error)
    context.messages.report(failure)
    return .status(failure.code.entry.status)
  }
}

extension CommandConfiguration {
  /// Creates the configuration of a tool; its summary comes from the table in `Toolbox`.
  ///
  /// - Parameters:
  ///   - name: the name without `vmx-`.
  ///   - usage: the synopsis that the help shows.
  ///   - discussion: details beyond the summary, and examples.
  package init(tool name: String, usage: String, discussion: String = "") {
    // With a super-command name the parser does not check for a request to generate completions,
    // which costs a sixth of the start time; vmx installs its own completions. The name is never
    // shown, because every tool sets its usage.
    self.init(
      commandName: "vmx-\(name)", _superCommandName: "vmx",
      abstract: Toolbox.tool(named: name)?.summary ?? "", usage: usage, discussion: discussion,
      version: "vmx-\(name) \(Toolbox.version)")
  }
}

/// Returns the first line of a message of the parser, with a lower-case first letter and without a
/// full stop. A list of allowed values below it follows in the same line.
private func usageSummary(of message: String) -> String {
  let lines = message.split(separator: "\n")
  var line = lines.first.map(String.init) ?? message
  if line.hasSuffix(":") {
    let values = lines.dropFirst().prefix { $0.hasPrefix("  - ") }.map { $0.dropFirst(4) }
    line += " \(values.joined(separator: ", "))"
  }
  if line.hasPrefix("Error: ") { line.removeFirst("Error: ".count) }
  if line.hasSuffix(".") { line.removeLast() }
  return line.prefix(1).lowercased() + line.dropFirst()
}
