import CLinux
import Glibc
import SystemPackage
import VmxModel
import VmxPresentation
import VmxSettings
import VmxSystem

/// The part of the dispatcher that needs the libraries of vmx: its options, its help, its errors.
///
/// The dispatcher executes this program with its own arguments, and its own path as argument 0.
@main
struct DispatcherCompanion {
  private let finder: ToolFinder
  private let line: CommandLineReader

  static func main() { work(Array(ProcessStart.arguments.dropFirst())) }

  // Not part of `main`, which is isolated to the main actor: closures there would load the
  // Concurrency library.
  private static func work(_ arguments: [String]) {
    do throws(Failure) {
      try ProcessStart.prepare()
      let companion = try DispatcherCompanion(arguments)
      try companion.run()
    } catch {
      report(error, asJSON: arguments.prefix { $0 != "--" }.contains("--json"))
      exit(error.code.entry.status.rawValue)
    }
  }

  init(_ arguments: [String]) throws(Failure) {
    line = try CommandLineReader(arguments)
    for folder in line.folders where FilePath(argument: folder).withPlatformString(chdir) != 0 {
      let shown = ArgumentText.shown(folder)
      throw Failure(.inputMissing, "cannot change to '\(shown)': \(Self.reason(errno))")
    }
    let execPath = line.execPath.map { ToolLauncher.absolute($0) }
    finder = ToolFinder(
      launcher: ToolLauncher(
        execPath: execPath ?? ToolLauncher.variable("VMX_EXEC_PATH"),
        executable: Self.dispatcher ?? ToolLauncher.program ?? "",
        searchPath: ToolLauncher.variable("PATH")))
  }

  private func run() throws(Failure) {
    switch line.request {
    case .run(let name, let arguments): try exec(name, arguments)
    case .version: try Self.write("\(Self.name) \(Version.text)\n")
    case .execPath: try Self.write(finder.launcher.ownFolder + "\n")
    case .names(let groups): try Self.write(try Overview.names(finder.all(), groups: groups))
    case .help(let words): try help(words)
    case .overview(let isAll, let wasAsked):
      let tools = finder.all()
      try Self.write(
        isAll
          ? Overview.fullText(tools)
          : Overview.text(tools, isEmpty: OwnTools(finder.launcher).isLibraryEmpty))
      // Without a tool name the overview is an error, so that a script with an empty variable does
      // not succeed.
      if !wasAsked { exit(ExitStatus.usage.rawValue) }
    }
  }

  /// Prints the help of a tool, or what a search for the words finds.
  private func help(_ words: [String]) throws(Failure) {
    let name = words[0]
    if finder.launcher.path(of: name) ?? finder.path(ofLink: name) != nil {
      return try exec(name, ["--help"])
    }
    let found = HelpSearch(words, in: OwnTools(finder.launcher)).text
    guard !found.isEmpty else { throw unknown(words.joined(separator: " ")) }
    try Self.write(found)
  }

  private func exec(_ name: String, _ arguments: [String]) throws(Failure) {
    let own = finder.launcher.path(of: name)
    guard let path = own ?? finder.path(ofLink: name) else { throw unknown(name) }
    finder.launcher.export(version: Version.text)
    try exportSettings()
    let words = arguments.map { word in
      (ArgumentText.bytes(of: word) + [0]).withUnsafeBytes {
        UnsafePointer($0.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strdup($0) })
      }
    }
    // The tool reads its request from `argv[0]`, even if no link of that name is installed.
    let number = ToolLauncher.exec(path, as: own ?? "vmx-\(name)", words)
    throw Failure(.toolBroken, "cannot run '\(path)': \(Self.reason(number))")
  }

  private func unknown(_ name: String) -> Failure {
    let names = finder.all().map(\.name) + ["help"]
    let near = suggestions(for: name, among: Array(Set(names)).sorted())
    let guess = near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    let hint = Toolbox.hint(forSynonym: name.lowercased()) ?? Self.hint(forOperand: name) ?? guess
    let shown = URLRedaction.redacted(operand: name)
    return Failure(.unknownCommand, "'\(shown)' is not a vmx tool", hint: hint)
  }

  /// Returns the hint for an operand that was given without a tool; nil for any other word.
  private static func hint(forOperand word: String) -> String? {
    let shown = URLRedaction.redacted(operand: word)
    if WebURL.isMeant(by: word) || SourceAdvice.withScheme(word) != nil {
      return "run 'vmx fetch URL' to add and download a URL"
    }
    if EpisodeID(valid: word) != nil { return "run 'vmx show \(shown)' or 'vmx fetch \(shown)'" }
    return word.contains("/") ? "run 'vmx add FILE' to add a file" : nil
  }

  /// Exports the settings given by `-c`, and `--no-pager`, to the tool.
  private func exportSettings() throws(Failure) {
    if line.pagesNothing { setenv("VMX_PAGER", "cat", 1) }
    guard !line.settings.isEmpty else { return }
    let variable = SettingsParameters.variable
    let before = try SettingsParameters.parameters(of: ToolLauncher.variable(variable) ?? "")
    setenv(variable, SettingsParameters.text(of: before + line.settings), 1)
  }

  /// The program name in messages: that of the dispatcher, unless this program is run directly.
  private static let name = isStandalone ? ToolLauncher.companion : "vmx"

  /// The path of the dispatcher; nil if argument 0 does not contain it.
  private static let dispatcher =
    isStandalone ? nil : program.flatMap { $0.hasPrefix("/") ? $0 : nil }

  private static let isStandalone = program?.hasSuffix(ToolLauncher.companion) == true
  private static let program = ProcessStart.arguments.first

  private static func reason(_ number: Int32) -> String {
    String(cString: strerror(number)).lowercased()
  }

  private static func write(_ text: String) throws(Failure) {
    do {
      try FileDescriptor.standardOutput.writeAll(text.utf8)
    } catch {
      throw Failure(OutputError.failed(reason: "\(error)".lowercased()))
    }
  }

  private static func report(_ failure: Failure, asJSON: Bool) {
    var bytes = Array(FailureText.lines(failure, of: name, Palette(isEnabled: false)).utf8)
    if asJSON {
      bytes = FailureText.object(failure, of: name).line(escaping: true)
    }
    do {
      try FileDescriptor.standardError.writeAll(bytes)
    } catch {
      // Standard error is closed: only the exit status reports the failure.
    }
  }
}
