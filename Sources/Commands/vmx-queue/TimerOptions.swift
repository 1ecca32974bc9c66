import ArgumentParser
import SystemPackage
import VmxCommand
import VmxDesktop
import VmxModel
import VmxPresentation
import VmxSystem

/// The options for the timer that checks feeds and fetches in the background.
struct TimerOptions: ParsableArguments {
  @Flag(help: "Check due feeds and fetch due episodes each hour, by systemd or cron.")
  var installTimer = false

  @Flag(help: "Remove that timer.")
  var uninstall = false

  /// Whether one of the options was given. Both together remove the timer.
  var isRequested: Bool { installTimer || uninstall }

  /// Installs or removes the timer, and reports each file.
  ///
  /// - Throws: errors that concern the whole run.
  func perform(in context: CommandContext, _ reporter: RowReporter<OutcomeRow>) throws {
    let isDryRun = context.isDryRun
    let variables = context.environment.variables
    let folder = runningProgram()?.removingLastComponent()
    let program = folder?.appending("vmx-fetch").string ?? "vmx-fetch"
    let feed = folder?.appending("vmx-feed").string ?? "vmx-feed"
    let line = context.environment.program("crontab").map {
      CrontabLine(crontab: $0, program: program, feed: feed, environment: variables)
    }
    let timer = UnitInstaller(
      folder: try context.folder("XDG_CONFIG_HOME", beneathHome: ".config").pushing("systemd/user"),
      units: UserUnits.fetching(program: program, feed: feed, environment: variables),
      manager: Systemctl(variables))
    let report: (UnitInstaller.Change) throws -> Void = { change in
      try reporter.report(OperationResult(isChanged: change.isChanged), of: change.path.string)
    }
    guard uninstall else {
      guard context.environment.program("systemctl") == nil || !UserSession(variables).hasSystemd
      else {
        context.messages.note("started by a systemd user timer")
        return try timer.install(isDryRun: isDryRun, report: report)
      }
      guard let line else { throw Self.noScheduler }
      context.messages.note("systemd does not run for this user; started by cron")
      let isChanged = try line.install(isDryRun: isDryRun)
      try reporter.report(OperationResult(isChanged: isChanged), of: "crontab")
      return
    }
    if let problem = try timer.uninstall(isDryRun: isDryRun, report: report) {
      context.messages.note(problem.summary)
    }
    guard let line else { return }
    do {
      if try line.uninstall(isDryRun: isDryRun) { try reporter.report(.done, of: "crontab") }
    } catch let problem as Failure where problem.code == .programFailed {
      // Users without permission to use cron have no line in it.
      context.messages.note(problem.summary)
    }
  }

  private static var noScheduler: Failure {
    Failure(
      .userManagerAway, "systemd does not run for this user, and 'crontab' is not installed",
      hint:
        "run 'vmx feed update --quiet; vmx fetch --due --quiet' each hour with another scheduler")
  }
}
