import Glibc
import SystemPackage
import VmxModel
import VmxSystem

/// One note on the person's desktop, by way of `notify-send`.
///
/// Nothing of it is ever a failure: where nobody would see it, nothing happens.
package struct DesktopNotice: Sendable {
  /// Milliseconds after which a desktop that does not answer is left alone.
  private static let patience: Int64 = 2000

  private let environment: Environment

  /// A note from a tool in this environment.
  package init(_ environment: Environment) {
    self.environment = environment
  }

  /// Shows it; waits at most two seconds.
  ///
  /// - Parameter text: plain; it must not hold what desktops take for markup.
  package func show(_ title: String, _ text: String) {
    guard hasSession, let program = environment.program("notify-send") else { return }
    do {
      let nowhere = try FileDescriptor.open("/dev/null", .readWrite, options: .closeOnExec)
      defer { _ = Glibc.close(nowhere.rawValue) }
      let variables = environment.variables.map { "\($0.key)=\($0.value)" }
      let sender = try SpawnedProgram.start(
        program, ["--app-name=vmx", "--", title, text], environment: variables, output: nowhere,
        errors: nowhere, leadsGroup: true)
      _ = sender.wait(until: Deadline(milliseconds: Self.patience), or: nil)
    } catch {
      // A desktop that cannot be told is none.
    }
  }

  /// Whether there is a session bus on which a desktop could listen.
  private var hasSession: Bool {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty { return true }
    guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { return false }
    return access("\(folder)/bus", F_OK) == 0
  }
}
