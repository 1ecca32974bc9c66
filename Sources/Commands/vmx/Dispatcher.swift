import Glibc
import SystemPackage
import VmxModel
import VmxPresentation
import VmxSystem

/// Finds the named tool and replaces this process with it.
@main
struct Dispatcher {
  private let finder: ToolFinder
  private let line: CommandLineReader
  private let execPath: String?

  static func main() {
    let arguments = Array(ProcessStart.arguments.dropFirst())
    do throws(Failure) {
      try ProcessStart.prepare()
      let dispatcher = try Dispatcher(arguments)
      try dispatcher.run()
    } catch {
      report(error, asJSON: arguments.prefix { $0 != "--" }.contains("--json"))
      exit(error.code.entry.status.rawValue)
    }
  }

  init(_ arguments: [String]) throws(Failure) {
    line = try CommandLineReader(arguments)
    for folder in line.folders where FilePath(argument: folder).withPlatformString(chdir) != 0 {
      let shown = ArgumentText.shown(folder)
      throw Failure(.inputMissing, "cannot go to '\(shown)': \(Self.reason(errno))")
    }
    execPath = line.execPath.map { Self.absolute($0) } ?? Self.variable("VMX_EXEC_PATH")
    finder = ToolFinder(
      execPath: execPath, executable: runningProgram()?.string ?? "",
      searchPath: Self.variable("PATH"))
  }

  private func run() throws(Failure) {
    switch line.request {
    case .run(let name, let arguments): try become(name, arguments)
    case .version: try Self.write("vmx \(Toolbox.version)\n")
    case .execPath: try Self.write(finder.ownFolder + "\n")
    case .names(let groups): try Self.write(try Overview.names(finder.all(), groups: groups))
    case .overview(let isAll, let wasAsked):
      try Self.write(Overview.text(finder.all(), isAll: isAll))
      // Without a tool name the overview is an error, so that a script with an empty variable does
      // not succeed.
      if !wasAsked { exit(ExitStatus.usage.rawValue) }
    }
  }

  private func become(_ name: String, _ arguments: [String]) throws(Failure) {
    let own = finder.path(of: name)
    guard let path = own ?? finder.path(ofLink: name) else { throw unknown(name) }
    try export()
    // The tool reads its request from `argv[0]`, even if no link of that name is installed.
    let line = [own ?? "vmx-\(name)"] + arguments
    var words = line.map { word in
      (ArgumentText.bytes(of: word) + [0]).withUnsafeBytes {
        $0.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { strdup($0) }
      }
    }
    words.append(nil)
    execv(path, words)
    let number = errno
    if number == ENOEXEC {
      // A script without an interpreter line is run by the shell, as `execvp` does.
      let shell = "/bin/sh"
      words.insert(strdup(shell), at: 0)
      execv(shell, words)
    }
    throw Failure(.toolBroken, "cannot run '\(path)': \(Self.reason(number))")
  }

  private func unknown(_ name: String) -> Failure {
    let names = finder.all().map(\.name) + ["help"]
    let near = suggestions(for: name, among: Array(Set(names)).sorted())
    let hint = near.isEmpty ? nil : "did you mean \(near.joined(separator: ", "))?"
    let shown = URLRedaction.redacted(operand: name)
    return Failure(.unknownCommand, "there is no tool '\(shown)'", hint: hint)
  }

  /// Exports the tool folder, the version and the settings given by `-c` to the tool.
  private func export() throws(Failure) {
    setenv("VMX_EXEC_PATH", execPath ?? finder.ownFolder, 1)
    setenv("VMX_VERSION", Toolbox.version, 1)
    if let home = Self.variable("VMX_HOME"), !home.isEmpty {
      setenv("VMX_HOME", Self.absolute(home), 1)
    }
    guard !line.settings.isEmpty else { return }
    let variable = SettingsParameters.variable
    let before = try SettingsParameters.parameters(of: Self.variable(variable) ?? "")
    setenv(variable, SettingsParameters.text(of: before + line.settings), 1)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

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
    var bytes = Array(FailureText.lines(failure, of: "vmx", Palette(isOn: false)).utf8)
    if asJSON {
      bytes = FailureText.object(failure, of: "vmx").line(escaping: true)
    }
    do {
      try FileDescriptor.standardError.writeAll(bytes)
    } catch {
      // Standard error is closed: only the exit status reports the failure.
    }
  }
}
