import Glibc
package import SystemPackage
import VmxSystem

/// One notification on the user's desktop, sent with `notify-send`.
///
/// It never fails: without a desktop session it does nothing.
package struct DesktopNotice: Sendable {
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
        program, ["--app-name=vmx", "--", title, text], environment: variables, output: nowhere,
        errors: nowhere, leadsGroup: true)
      _ = sender.wait(until: Deadline(milliseconds: Self.timeLimit), or: nil)
    } catch {
      // A desktop that cannot be notified is ignored.
    }
  }
}
