import ArgumentParser
import SystemPackage
import VmxCommand
import VmxDesktop
import VmxModel
import VmxPresentation
import VmxSystem

/// The options for the timer that fetches in the background.
struct TimerOptions: ParsableArguments {
  @Flag(help: "Let systemd fetch what is due each hour while you are logged in.")
  var installTimer = false

  @Flag(help: "Take that timer away.")
  var uninstall = false

  /// Whether one of the options was given.
  ///
  /// - Throws: `usage` for both at once.
  func isRequested() throws(Failure) -> Bool {
    guard !(installTimer && uninstall) else {
      throw QueueRequest.usage("--install-timer and --uninstall exclude each other")
    }
    return installTimer || uninstall
  }

  /// Installs or removes the timer, and reports each file.
  ///
  /// - Throws: errors that concern the whole run.
  func perform(in context: CommandContext, _ reporter: RowReporter<OutcomeRow>, isDryRun: Bool)
    throws
  {
    let variables = context.environment.variables
    let program = runningProgram()?.removingLastComponent().appending("vmx-fetch")
    let timer = SystemdTimer(
      folder: try context.folder("XDG_CONFIG_HOME", beneathHome: ".config").pushing("systemd/user"),
      units: TimerUnits.fetching(program: program?.string ?? "vmx-fetch", environment: variables),
      manager: Systemctl(variables))
    let report: (SystemdTimer.Change) throws -> Void = { change in
      try reporter.report(OperationResult(isChanged: change.isChanged), of: change.path.string)
    }
    guard uninstall else { return try timer.install(isDryRun: isDryRun, report: report) }
    if let problem = try timer.uninstall(isDryRun: isDryRun, report: report) {
      context.messages.note(problem.summary)
    }
  }
}
