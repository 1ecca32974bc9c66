import ArgumentParser
import Glibc
import SystemPackage
import VmxCommand
import VmxModel
import VmxPresentation
import VmxRemoving
import VmxSettings
import VmxStore
import VmxSystem

/// The options for the tasks at login and their installation.
struct LoginOptions: ParsableArguments {
  /// The time limit of the tasks in milliseconds. The rest of the second remains for the step in
  /// progress, and for the start and the end of the process.
  private static let timeLimit: Int64 = 600

  @Flag(help: "Run the tasks at login: silent, at most a second.")
  var login = false

  @Flag(help: "Run those tasks at each login.")
  var installLogin = false

  @Flag(help: "Remove the login task.")
  var uninstall = false

  @Flag(help: "With --install-login: check that it is installed.")
  var check = false

  func validate() throws {
    if check, !installLogin { throw ValidationError("--check requires --install-login") }
    if uninstall, check { throw ValidationError("--uninstall and --check exclude each other") }
    if login, uninstall { throw ValidationError("--login and --uninstall exclude each other") }
    if login, installLogin {
      throw ValidationError("--login and --install-login exclude each other")
    }
  }

  /// Whether the login item is to be installed, removed or checked.
  var isInstallation: Bool { installLogin || uninstall }

  /// Runs the tasks at login; failures are written to the log.
  func perform(in context: CommandContext) {
    let base = context.environment.base("XDG_STATE_HOME", beneathHome: ".local/state")
    do {
      let home = try context.home()
      // The login environment may lack HOME; then the state is kept in the library.
      let state = LoginState(base?.appending("vmx") ?? home, of: home)
      LoginWatchdog.start()
      do {
        if let failure = context.settingsFailure { throw failure }
        var options = StoreOptions()
        options.lockTimeout = 0
        options.allowsNetwork = try context.settings.bool(.networkStore)
        var outbox = try OutboxRule(context.settings)
        outbox.addSync(of: LibraryHome(home))
        options.outbox = { [outbox] in outbox }
        let store = try LibraryStore.open(LibraryHome(home), options: options, clock: context.clock)
        let cleaning = CleaningOptions(
          trash: try RuleOptions.trash(in: context),
          licenceGrace: try context.settings.milliseconds(.licenceGrace))
        LoginCleanup(
          store, state: state, options: cleaning, clock: context.clock, within: Self.timeLimit
        ).perform()
      } catch {
        state.report([Failure(error)], at: context.clock.now)
      }
    } catch {
      // Without a library path there is no library to clean and no log to write.
    }
  }

  /// Installs, removes or checks the login item.
  ///
  /// - Throws: errors that concern the whole run; `CommandExit` with status 1 if the check finds
  ///   none.
  func install(in context: CommandContext) throws {
    let reporter = RowReporter<OutcomeRow>(
      context.isJSON ? .json(nil) : .columns([.id, .outcome]), in: context)
    let installation = LoginInstallation(context)
    if check {
      guard try installation.check(reporter) else { throw CommandExit.status(.someFailed) }
      return
    }
    if uninstall {
      try installation.uninstall(reporter)
    } else {
      try installation.install(reporter)
    }
    try reporter.finish()
  }
}

// Every step can be interrupted at any point, as by a power failure. So if a disk hangs and a
// system call does not return, this thread ends the process: a login never waits for a disk.

/// Ends the process after a time limit, even if a system call blocks.
private enum LoginWatchdog {
  /// The time limit in milliseconds.
  private static let timeLimit: Int64 = 900

  /// Starts the thread that ends the process.
  static func start() {
    do throws(ProcessError) {
      let thread = try WorkerThread.start("login-watchdog") {
        let end = Deadline(milliseconds: timeLimit)
        while !end.isPast { end.sleep(nanoseconds: .max) }
        _exit(0)
      }
      _ = thread
    } catch {
      // If the thread cannot be started, the tasks end by their own time limit.
    }
  }
}
