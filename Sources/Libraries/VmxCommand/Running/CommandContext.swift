package import SystemPackage
package import VmxModel
package import VmxPresentation
package import VmxSettings
package import VmxStore
package import VmxSystem

/// Everything that a tool uses besides its options: created once and passed down. Code that
/// receives it does not read the state of the process itself.
///
/// ```swift
/// func perform(in context: CommandContext) throws {
///   let store = try context.openStore()
///   try context.output.write("\(try context.home())\n")
/// }
/// ```
package struct CommandContext: Sendable {
  /// The tool's name, such as `vmx-fetch`.
  package let tool: String
  /// The sink for the result, and for nothing else.
  package private(set) var output: any ByteSink
  /// The terminal or pipe that receives the result, with its palette.
  package let terminal: TerminalFacts
  /// The same, read at the time of the call, because the window size may change.
  package let terminalNow: @Sendable () -> TerminalFacts
  /// The messages on standard error.
  package let messages: Messages
  /// The source of input rows.
  package let input: any ByteSource
  /// The time in milliseconds without input after which the tool prints what it waits for.
  package let inputTimeout: Int64
  /// The notice about rows that the tool does not read.
  let unreadInput: UnreadInput
  /// The guard that decides which episodes may be shown and used.
  package let parental: ParentalGuard
  /// The clock of the system, or trusted times while that is certainly wrong.
  package var clock: any WallClock { trustedClock }
  private let trustedClock: TrustedClock
  /// The clock of the system, which decides whether anything may expire.
  package var systemClock: any WallClock { trustedClock.system }
  /// The environment variables.
  package let environment: Environment
  /// Whether the result is JSON Lines.
  package let isJSON: Bool
  /// The settings: built-in values, files, environment, `-c`. A tool adds its own options.
  package let settings: Settings
  /// Whether the user wants to know only what the tool would do (`--dry-run`).
  package internal(set) var isDryRun = false
  /// The error of a settings file, if the tool continues with the built-in settings.
  package var settingsFailure: Failure?

  /// Creates the context of a tool with this output mode.
  package init(
    _ tool: String, mode: OutputMode, process: ProcessContext, settings: Settings = Settings()
  ) {
    self.settings = settings
    self.tool = tool
    let environment = process.environment
    @Sendable func painted(_ terminal: TerminalFacts) -> TerminalFacts {
      var terminal = terminal
      let isOn = mode.color.isEnabled(isTerminal: terminal.isTerminal) { environment[$0] }
      terminal.palette = Palette(isEnabled: isOn)
      return terminal
    }
    output = process.output
    terminal = painted(process.outputTerminal())
    terminalNow = { painted(process.outputTerminal()) }
    messages = Messages(tool, sink: process.errors, mode: mode) {
      painted(process.errorsTerminal())
    }
    input = process.input
    inputTimeout = process.inputTimeout
    unreadInput = UnreadInput(process.input, messages)
    trustedClock = TrustedClock(process.clock)
    self.environment = environment
    parental = ParentalGuard(
      Self.home(in: environment).map { LibraryHome($0) },
      runtime: environment["XDG_RUNTIME_DIR"], clock: trustedClock)
    isJSON = mode.isJSON
  }

  /// Returns the context with another sink for the result.
  func writing(to sink: any ByteSink) -> CommandContext {
    var context = self
    context.output = sink
    return context
  }

  /// The name of the stage in records: the tool's name without `vmx-`, even if the tool was called
  /// by an alias.
  package var stage: String {
    let name = tool.hasPrefix("vmx-") ? String(tool.dropFirst(4)) : tool
    return Toolbox.link(named: name)?.target ?? name
  }

  /// Returns `VMX_HOME`, else `vmx` in `XDG_DATA_HOME` or in `~/.local/share`; always absolute.
  ///
  /// - Throws: `bad-setting` if none of them is set.
  package func home() throws(Failure) -> FilePath {
    if let home = Self.home(in: environment) { return home }
    throw Failure(
      .badSetting, homeProblem,
      hint: "set VMX_HOME to the folder of the library")
  }

  private var homeProblem: String {
    environment["HOME"] == nil ? "'HOME' is not set" : "'HOME' is not an absolute path"
  }

  private static func home(in environment: Environment) -> FilePath? {
    environment.path("VMX_HOME") ?? defaultHome { environment[$0] }.map { FilePath($0) }
  }

  /// Returns the folder for new media: `library.root`, else the one in the home; always absolute.
  ///
  /// - Throws: `bad-setting`.
  package func rootForNewFiles() throws(Failure) -> FilePath {
    if let root = try configuredRoot() { return root }
    return LibraryHome(try home()).defaultRoot
  }

  /// Returns the folder for new media that the setting `library.root` names; nil for the default.
  ///
  /// - Throws: `bad-setting`.
  package func configuredRoot() throws(Failure) -> FilePath? {
    try settings.path(.libraryRoot, home: environment["HOME"] ?? "/").map { FilePath($0) }
  }

  /// Returns a base directory of the XDG specification.
  ///
  /// - Throws: `bad-setting` if neither its variable nor `HOME` determines it.
  package func folder(
    _ xdg: String, beneathHome: String, hint: String? = nil
  ) throws(Failure) -> FilePath {
    if let base = environment.base(xdg, beneathHome: beneathHome) { return base }
    throw Failure(
      .badSetting, homeProblem,
      hint: hint.map { "set \($0) to the folder to use" } ?? "set XDG_CONFIG_HOME or HOME")
  }

  /// Returns the rule that decides which episodes are due now, from the settings of this tool.
  ///
  /// - Throws: `bad-setting`.
  package func dueRule() throws(Failure) -> DueRule {
    let window = try settings.window(.window)
    // Called for each output row; most libraries have no window, and need no time zone.
    guard window != .always else { return DueRule(now: clock.now) }
    return DueRule(now: clock.now, window: window, zone: SystemZone())
  }

  /// Opens the store of the library. A store that does not exist yet reads as empty; a tool that
  /// only reads prints a note then.
  ///
  /// - Parameters:
  ///   - lock: the lock options of a tool that writes.
  ///   - interruption: the stop request that ends a wait for a lock early.
  ///   - checkingForLoss: whether to refuse a store without episodes if a root contains sidecars
  ///     unknown to it.
  /// - Throws: `store-on-network`, `store-lost`, `usage`, `bad-setting`.
  package func openStore(
    _ lock: LockOptions? = nil, until interruption: Interruption? = nil,
    checkingForLoss: Bool = false
  ) throws -> LibraryStore {
    if try settings.choice(.libraryMode) == "private" { FilePermissions.makeNewFilesPrivate() }
    var options = StoreOptions()
    if let lock { options.lockTimeout = try lock.milliseconds(in: self) }
    if let interruption { options.shouldStop = { interruption.isRequested } }
    options.isDryRun = isDryRun
    options.allowsNetwork = try settings.bool(.networkStore)
    options.roots = try configuredRoot().map { [$0] } ?? []
    options.secrets = try secretRule(until: interruption)
    options.allowsRatingChanges = { [parental] in !parental.applies }
    let home = LibraryHome(try home())
    var outbox = try OutboxRule(settings)
    outbox.addSync(of: home)
    options.outbox = { [outbox] in outbox }
    let store = try LibraryStore.open(home, options: options, clock: clock)
    if trustedClock.trust(store) {
      messages.note(
        "the clock is wrong (\(systemClock.now.text)); this run counts from the newest record, "
          + "\(clock.now.text)")
    }
    if checkingForLoss { try store.checkNotLost() }
    if lock != nil, let owner = try home.otherOwner() {
      messages.note(
        "root writes to the library of user \(owner), who cannot change what root makes: "
          + "'\(home.folder)'; to write as that user: sudo -u '#\(owner)' vmx \(stage)")
    }
    // 'vmx clean' takes over what is newer, and says so.
    if lock != nil, stage != "clean", let older = try store.olderThanMedia() {
      messages.note(older.text)
    }
    if lock == nil { noteMissingLibrary(at: home) }
    return store
  }

  /// Records at the end of the run what servers have said about the clock, and tells the user.
  func settleClock() {
    do {
      if let note = try trustedClock.settle() { messages.note(note) }
    } catch {
      messages.note("the doubt about the clock was not recorded: \(Failure(error).summary)")
    }
  }

  /// Returns the rule for storing new secrets, from the settings.
  ///
  /// - Parameter interruption: the stop request that ends a program which stores secrets.
  /// - Throws: `bad-setting`.
  package func secretRule(until interruption: Interruption? = nil) throws(Failure) -> SecretRule {
    var rule = SecretRule()
    rule.location = SecretLocation(rawValue: try settings.choice(.secretsStore)) ?? .file
    rule.command = try settings.path(.secretsCommand, home: environment["HOME"] ?? "/")
      .map { FilePath($0) }
    rule.timeout = try settings.milliseconds(.secretsTimeout)
    rule.program = { [environment] in environment.program($0) }
    rule.variables = environment.variables
    rule.note = { [messages] in messages.note($0) }
    rule.interruption = interruption
    return rule
  }

  /// Writes an object as a line of the result.
  ///
  /// - Throws: `output-failed`.
  package func write(_ object: JSONObject) throws(OutputError) {
    try output.write(object.line(escaping: terminal.isTerminal))
  }

  /// Returns a result as it is reported: what a dry run would have done is planned.
  package func reported(_ result: OperationResult) -> OperationResult {
    isDryRun && result == .done ? .planned : result
  }

  /// The note of a dry run.
  package static let dryRunNote = "dry run: nothing was changed"

  /// Asks the user to confirm an action that cannot be undone; returns only if the answer is yes.
  ///
  /// - Parameters:
  ///   - question: the question without its question mark.
  ///   - isGiven: whether `--yes` was typed; `VMX_ASSUME_YES=1` has the same effect.
  ///   - interruption: the stop request that ends the question.
  /// - Throws: `usage` if there is no terminal to ask on; a `CommandExit` if the answer is no;
  ///   `interrupted`.
  package func confirm(
    _ question: String, isGiven: Bool, until interruption: Interruption? = nil
  ) throws {
    guard !isGiven, !assumesYes else { return }
    guard isInteractive else {
      throw Failure(.usage, "this cannot be undone", hint: "add --yes to confirm")
    }
    let answer = try prompt(to: "\(question)? [y/N] ", until: interruption)
    guard ["y", "yes"].contains(answer) else {
      messages.note("nothing was changed")
      throw CommandExit.status(.someFailed)
    }
  }

  /// Whether the user disables confirmations, by `VMX_ASSUME_YES=1`.
  package var assumesYes: Bool { environment["VMX_ASSUME_YES"] == "1" }

  /// Whether the user can be prompted: standard input and standard error are terminals.
  package var isInteractive: Bool { input.isTerminal && messages.terminal.isTerminal }

  /// Asks a question and returns the first word of the answer in lower case; empty at the end of
  /// input.
  ///
  /// - Parameter introduction: lines above the question.
  /// - Throws: `interrupted`, `input-missing`.
  package func prompt(
    to question: String, after introduction: [String] = [], until interruption: Interruption?
  ) throws -> String {
    let bytes = try messages.prompt(question, after: introduction) {
      while let interruption {
        let isReadable = input.isReady(within: 100)
        if interruption.isRequested { throw WorkEnded.interrupted }
        if isReadable { break }
      }
      return try input.read()
    }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.first?.lowercased() ?? ""
  }

  /// Returns a passphrase: the first line of an open descriptor, else the user's input on the
  /// terminal. It is never an argument, which other processes can read.
  ///
  /// - Parameters:
  ///   - isNew: whether to prompt twice, since a typing error would make the bytes unreadable.
  ///   - interruption: the stop request that ends the wait.
  /// - Throws: `passphrase-needed` if the user cannot be prompted or types nothing; `usage` if the
  ///   two inputs differ; `WorkEnded.interrupted`.
  package func passphrase(
    descriptor: Int32?, isNew: Bool, until interruption: Interruption
  ) throws -> [UInt8] {
    let needed = Failure(
      .passphraseNeeded, "no passphrase given",
      hint: "give it with --passphrase-fd: '--passphrase-fd 3 3<file'")
    return try secret(
      "passphrase", descriptor: descriptor, isNew: isNew, else: needed, until: interruption)
  }

  /// Returns a secret: the first line of an open descriptor, else the user's input on the terminal.
  ///
  /// - Parameters:
  ///   - name: its name in the prompt.
  ///   - isNew: whether to prompt twice.
  ///   - needed: the error if the user cannot be prompted or types nothing.
  /// - Throws: that error; `usage` if the two inputs differ; `WorkEnded.interrupted`.
  package func secret(
    _ name: String, descriptor: Int32?, isNew: Bool, else needed: Failure,
    until interruption: Interruption
  ) throws -> [UInt8] {
    func typed(_ prompt: String) throws -> [UInt8]? {
      try readSecret(prompt: "\(tool): \(prompt): ", until: interruption)
    }
    if let descriptor {
      guard let line = try readLine(from: descriptor, until: interruption), !line.isEmpty else {
        throw needed
      }
      return line
    }
    guard isInteractive, let first = try typed(name), !first.isEmpty else {
      throw needed
    }
    if isNew, try typed("repeat the \(name)") != first {
      throw Failure(.usage, "the two \(name)s do not match")
    }
    return first
  }
}
