import Glibc
package import SystemPackage
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
  /// The time in milliseconds without input after which a tool prints what it waits for.
  package var inputTimeout: Int64 = 5000
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
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    guard isatty(descriptor) == 1 else {
      return TerminalFacts(isTerminal: false, width: columns ?? TerminalFacts.pipe.width)
    }
    var size = winsize()
    let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    let width = isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80
    let height = isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil
    var terminal = TerminalFacts(
      isTerminal: true, width: columns ?? width, height: height, isUTF8: environment.isUTF8)
    terminal.obeysEscapes = environment["TERM"] != "dumb"
    terminal.showsProgress = terminal.obeysEscapes && environment.showsProgress
    return terminal
  }
}

extension Environment {
  /// Whether the terminal is known to show a progress bar for OSC 9;4, or `VMX_OSC` is 1. Others
  /// may print the sequence, or show a notification for each. Within a multiplexer, the variables
  /// are those of the terminal in which it was started.
  fileprivate var showsProgress: Bool {
    if let choice = self["VMX_OSC"], !choice.isEmpty { return choice != "0" }
    guard self["TMUX"] == nil, self["STY"] == nil else { return false }
    return self["WT_SESSION"] != nil || self["ConEmuANSI"] == "ON"
      || ["WezTerm", "ghostty"].contains(self["TERM_PROGRAM"]) || self["TERM"] == "xterm-ghostty"
  }

  /// Whether the locale of characters is one of UTF-8 (locale(7)).
  fileprivate var isUTF8: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self[$0] }.first { !$0.isEmpty }
    let codeset = locale?.split(separator: ".").dropFirst().first?.split(separator: "@").first
    return codeset.map { $0.lowercased() == "utf-8" || $0.lowercased() == "utf8" } ?? false
  }
}

/// The environment variables and the working directory, both as they were at the start.
package struct Environment: Sendable, Equatable {
  /// The variables and their values.
  package let variables: [String: String]
  let workFolder: FilePath

  /// Creates an environment with the given variables.
  package init(_ variables: [String: String], workFolder: FilePath = "/") {
    self.variables = variables
    self.workFolder = workFolder
  }

  /// Returns the environment of this process.
  package static func ofProcess() -> Environment {
    Environment(ProcessStart.variables(), workFolder: ProcessStart.workFolder())
  }

  /// The value of a variable; nil if it is not set.
  package subscript(name: String) -> String? { variables[name] }

  /// Returns the absolute path of a typed path, relative to the working directory.
  package func absolute(_ path: String) -> FilePath { absolute(FilePath(path)) }

  /// Returns the absolute path of a command-line argument, relative to the working directory.
  ///
  /// - Parameter argument: the argument, encoded as `ArgumentText` describes.
  package func absolute(argument: String) -> FilePath { absolute(FilePath(argument: argument)) }

  private func absolute(_ path: FilePath) -> FilePath { workFolder.pushing(path) }

  /// Returns the path in a variable, made absolute; nil if the variable is unset or empty.
  package func path(_ name: String) -> FilePath? {
    guard let value = self[name], !value.isEmpty else { return nil }
    return absolute(value)
  }

  /// Returns a base directory of the XDG specification; nil if neither its variable nor `HOME` is
  /// set to an absolute path. A relative value is ignored.
  package func base(_ xdg: String, beneathHome: String) -> FilePath? {
    baseFolder(xdg, beneathHome: beneathHome, in: variables)
  }

  /// The folder for temporary files: `TMPDIR`, else `/tmp`.
  package var scratch: FilePath { path("TMPDIR") ?? "/tmp" }

  /// Returns the executable file of this name in `PATH`; nil if there is none. Relative entries of
  /// `PATH` are ignored.
  package func program(_ name: String) -> FilePath? {
    (self["PATH"] ?? "").split(separator: ":").lazy
      .filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first(where: Self.isExecutable).map { FilePath($0) }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
