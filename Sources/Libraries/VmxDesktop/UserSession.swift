import Glibc
package import SystemPackage
import VmxModel
import VmxSystem

/// The properties of the user's session that notices and background work need.
package struct UserSession: Sendable {
  private let variables: [String: String]

  /// Describes the session of a process with these environment variables.
  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  /// Whether a systemd user manager runs for this user: the system was booted by systemd
  /// (sd_booted(3)), and there is a bus or the manager's own socket.
  ///
  /// A container may have `systemctl` without either.
  package var hasSystemd: Bool {
    exists("/run/systemd/system") && (hasBus || exists(inRuntimeFolder: "systemd/private"))
  }

  /// Whether there is a D-Bus session bus on which a desktop may listen.
  var hasBus: Bool {
    if let address = variables["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
    return exists(inRuntimeFolder: "bus")
  }

  private func exists(inRuntimeFolder name: String) -> Bool {
    guard let folder = variables["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
    return exists("\(folder)/\(name)")
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// The environment variables that locate the library, for a line of a shell.
struct InheritedVariables {
  /// The variables that are set.
  let all: [(name: String, value: String)]

  init(_ environment: [String: String]) {
    all = UserUnits.inheritedVariables.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : (name, $0) }
    }
  }

  /// Throws `bad-setting` for a variable that does not fit on one line.
  func check() throws(Failure) {
    guard let variable = all.first(where: { $0.value.contains("\n") }) else { return }
    throw Failure(.badSetting, "'\(variable.name)' contains a line break")
  }

  /// Returns a command of a shell that runs a program with these variables.
  func command(_ program: String, _ options: String) -> String {
    all.map { "\($0.name)=\(ShellWord.quoted($0.value)) " }.joined()
      + "\(ShellWord.quoted(program)) \(options)"
  }
}

/// One notification on the user's desktop, sent with `notify-send`.
///
/// It never fails: without a desktop session it does nothing.
package struct DesktopNotification: Sendable {
  /// The timeout for a desktop that does not respond, in milliseconds.
  private static let timeLimit: Int64 = 2000

  private let variables: [String: String]
  private let program: FilePath?

  /// Creates a notification for a tool with these environment variables.
  ///
  /// - Parameter program: the path of `notify-send`; nil if it is not installed.
  package init(_ variables: [String: String], program: FilePath?) {
    self.variables = variables
    self.program = program
  }

  /// Shows the notification; waits at most two seconds.
  ///
  /// - Parameter text: plain text; it must not contain desktop markup.
  package func show(_ title: String, _ text: String) {
    guard UserSession(variables).hasBus, let program else { return }
    do {
      let nowhere = try FileDescriptor.open("/dev/null", .readWrite, options: .closeOnExec)
      defer { _ = Glibc.close(nowhere.rawValue) }
      let variables = variables.map { "\($0.key)=\($0.value)" }
      let sender = try SpawnedProgram.start(
        ProgramCall(program, ["--app-name=vmx", "--", title, text], environment: variables),
        output: nowhere,
        errors: nowhere, leadsGroup: true)
      _ = sender.wait(until: Deadline(milliseconds: Self.timeLimit), or: nil)
    } catch {
      // A desktop that cannot be notified is ignored.
    }
  }
}
