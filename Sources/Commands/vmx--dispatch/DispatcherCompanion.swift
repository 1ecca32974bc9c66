import Glibc
import SystemPackage
import VmxModel
import VmxPlugins
import VmxPresentation
import VmxSettings
import VmxSystem

/// The part of the dispatcher that needs the libraries of vmx: its options, its help, its errors.
///
/// The dispatcher executes this program with its own arguments, and its own path as argument 0.
@main
struct DispatcherCompanion {
  let finder: ToolFinder
  let line: CommandLineReader

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
    for folder in line.folders { try Self.change(to: folder) }
    let execPath = line.execPath.map { ToolLauncher.absolute($0) }
    finder = ToolFinder(
      launcher: ToolLauncher(
        execPath: execPath ?? ToolLauncher.variable("VMX_EXEC_PATH"),
        executable: Self.dispatcher ?? ToolLauncher.program ?? "",
        searchPath: ToolLauncher.variable("PATH")))
  }

  init(line: CommandLineReader, finder: ToolFinder) {
    self.line = line
    self.finder = finder
  }

  static func change(to folder: String) throws(Failure) {
    guard FilePath(argument: folder).withPlatformString(chdir) != 0 else { return }
    let shown = ArgumentText.shown(folder)
    throw Failure(.inputMissing, "cannot change to '\(shown)': \(reason(errno))")
  }

  func run() throws(Failure) {
    switch line.request {
    case .run, .help: try runTool()
    case .version(let isVerbose): try Self.write(versionText(isVerbose: isVerbose))
    case .execPath: try Self.write(finder.launcher.ownFolder + "\n")
    case .names(let groups):
      let aliases = groups.contains("aliases") ? usableAliases() : []
      try Self.write(try Overview.names(finder.all(), aliases: aliases, groups: groups))
    case .overview(let isAll, let wasAsked):
      let tools = finder.all()
      try Self.write(
        isAll
          ? Overview.fullText(tools, plugins: plugins())
          : Overview.text(tools, isEmpty: OwnTools(finder.launcher).isLibraryEmpty))
      // Without a tool name the overview is an error, so that a script with an empty variable does
      // not succeed.
      if !wasAsked { exit(ExitStatus.usage.rawValue) }
    }
  }

  /// The program name in messages: that of the dispatcher, unless this program is run directly.
  static let name = isStandalone ? ToolLauncher.companion : "vmx"

  /// The path of the dispatcher; nil if argument 0 does not contain it.
  private static let dispatcher =
    isStandalone ? nil : program.flatMap { $0.hasPrefix("/") ? $0 : nil }

  private static let isStandalone = program?.hasSuffix(ToolLauncher.companion) == true
  private static let program = ProcessStart.arguments.first

  static func reason(_ number: Int32) -> String {
    String(cString: strerror(number)).lowercased()
  }

  static func write(_ text: String) throws(Failure) {
    do {
      try FileDescriptor.standardOutput.writeAll(text.utf8)
    } catch {
      throw Failure(OutputError.failed(reason: "\(error)".lowercased()))
    }
  }

  /// Prints a line on standard error; if that is closed, nothing else can be done about it.
  static func tell(_ text: String) {
    do { try FileDescriptor.standardError.writeAll(text.utf8) } catch {}
  }

  private static func report(_ failure: Failure, asJSON: Bool) {
    var bytes = Array(FailureText.lines(failure, of: name, Palette(isEnabled: false)).utf8)
    if asJSON {
      bytes = FailureText.object(failure, of: name).line(escaping: true)
    }
    // If standard error is closed, only the exit status reports the failure.
    do { try FileDescriptor.standardError.writeAll(bytes) } catch {}
  }
}
