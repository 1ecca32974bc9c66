import SystemPackage
import VmxCommand
import VmxDesktop
import VmxModel
import VmxPresentation
import VmxSystem

/// The systemd user unit that follows media players in each graphical session.
struct LoginService {
  private let context: CommandContext
  private let variables: [String: String]

  init(_ context: CommandContext) {
    self.context = context
    variables = context.environment.variables
  }

  /// Writes the unit and starts it.
  ///
  /// - Throws: `program-missing` without playerctl, `user-manager-away` if systemd does not run for
  ///   this user, and as `UnitInstaller.install`.
  func install(_ reporter: RowReporter<OutcomeRow>) throws {
    _ = try PlayerFollowing.program(in: context)
    guard context.environment.program("systemctl") != nil, UserSession(variables).hasSystemd else {
      throw Failure(
        .userManagerAway, "systemd does not run for this user",
        hint: "configure the desktop to start 'vmx mark --follow --quiet' at login")
    }
    try installer().install(isDryRun: context.isDryRun) { try report($0, reporter) }
  }

  /// Stops and removes the unit.
  ///
  /// - Throws: as `UnitInstaller.uninstall`.
  func uninstall(_ reporter: RowReporter<OutcomeRow>) throws {
    let problem = try installer().uninstall(isDryRun: context.isDryRun) { try report($0, reporter) }
    if let problem { context.messages.note(problem.summary) }
  }

  private func report(
    _ change: UnitInstaller.Change, _ reporter: RowReporter<OutcomeRow>
  ) throws {
    try reporter.report(OperationResult(isChanged: change.isChanged), of: change.path.string)
  }

  private func installer() throws -> UnitInstaller {
    UnitInstaller(
      folder: try context.folder("XDG_CONFIG_HOME", beneathHome: ".config").pushing("systemd/user"),
      units: .following(program: runningProgram()?.string ?? "vmx-mark", environment: variables),
      manager: Systemctl(variables))
  }
}
