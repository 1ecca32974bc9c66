import SystemPackage
import VmxCommand
import VmxDesktop
import VmxModel
import VmxPresentation
import VmxSystem

/// Installs the tasks at login, by the mechanism that the system supports.
struct LoginInstallation {
  private let context: CommandContext
  private let variables: [String: String]
  private let program: String

  init(_ context: CommandContext) {
    self.context = context
    variables = context.environment.variables
    program = runningProgram()?.string ?? "vmx-clean"
  }

  /// Installs a systemd timer if systemd runs for this user; else an autostart file if a desktop is
  /// running; else a line in the shell profile. Prints which.
  func install(_ reporter: RowReporter<OutcomeRow>) throws {
    guard !hasSystemd else {
      context.messages.note("started by a systemd user timer")
      return try timer().install(isDryRun: context.isDryRun) { change in
        try report(change.path, isChanged: change.isChanged, to: reporter)
      }
    }
    let way = hasDesktop ? "started by the desktop" : "started by the login shell"
    context.messages.note("systemd does not run for this user; \(way)")
    let location = try hasDesktop ? LoginItem.Location.autostart(autostart()) : .profile(profile())
    try report(
      location.file, isChanged: loginItem.install(in: location, isDryRun: context.isDryRun),
      to: reporter)
  }

  /// Removes every installed login item, of any kind.
  func uninstall(_ reporter: RowReporter<OutcomeRow>) throws {
    let problem = try timer().uninstall(isDryRun: context.isDryRun) { change in
      try report(change.path, isChanged: change.isChanged, to: reporter)
    }
    if let problem { context.messages.note(problem.summary) }
    for location in [LoginItem.Location.autostart(try autostart()), .profile(try profile())] {
      let isChanged = try loginItem.uninstall(in: location, isDryRun: context.isDryRun)
      if isChanged { try report(location.file, isChanged: isChanged, to: reporter) }
    }
  }

  /// Reports the login item that is installed.
  ///
  /// - Returns: whether one is installed.
  func check(_ reporter: RowReporter<OutcomeRow>) throws -> Bool {
    var found: FilePath?
    if hasSystemd {
      do {
        if try timer().isInstalled() { found = try units().appending("vmx-clean.timer") }
      } catch let failure as Failure where failure.code == .userManagerAway {
        context.messages.note(failure.summary)
      }
    }
    for location in [LoginItem.Location.autostart(try autostart()), .profile(try profile())]
    where try found == nil && loginItem.isInstalled(in: location) { found = location.file }
    guard let found else {
      context.messages.note(
        "no login task is installed; run 'vmx clean --install-login' to install one")
      return false
    }
    try reporter.report(.unchanged(hint: "already installed"), of: found.string)
    return true
  }

  private var loginItem: LoginItem { LoginItem(program: program, environment: variables) }

  private func timer() throws -> UnitInstaller {
    UnitInstaller(
      folder: try units(), units: .cleaning(program: program, environment: variables),
      manager: Systemctl(variables))
  }

  private func report(_ file: FilePath, isChanged: Bool, to reporter: RowReporter<OutcomeRow>)
    throws
  {
    try reporter.report(OperationResult(isChanged: isChanged), of: file.string)
  }

  private var hasSystemd: Bool {
    context.environment.program("systemctl") != nil && UserSession(variables).hasSystemd
  }

  private var hasDesktop: Bool {
    ["XDG_CURRENT_DESKTOP", "WAYLAND_DISPLAY", "DISPLAY"].contains {
      variables[$0].map { !$0.isEmpty } ?? false
    }
  }

  private func units() throws(Failure) -> FilePath {
    try context.folder("XDG_CONFIG_HOME", beneathHome: ".config").pushing("systemd/user")
  }

  private func autostart() throws(Failure) -> FilePath {
    try context.folder("XDG_CONFIG_HOME", beneathHome: ".config").pushing(
      "autostart/vmx-clean.desktop")
  }

  /// Returns the profile that the user's login shell reads; for bash, the first existing one.
  private func profile() throws -> FilePath {
    let home = try context.folder("", beneathHome: "")
    if variables["SHELL"]?.hasSuffix("/zsh") == true {
      return (context.environment.path("ZDOTDIR") ?? home).appending(".zprofile")
    }
    let files = [".bash_profile", ".bash_login"].map { home.appending($0) }
    return try files.first { try FileFacts.of($0) != nil } ?? home.appending(".profile")
  }
}

extension LoginItem.Location {
  /// The file that is written.
  fileprivate var file: FilePath {
    switch self {
    case .autostart(let file), .profile(let file): file
    }
  }
}
