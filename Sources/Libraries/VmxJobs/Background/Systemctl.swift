import SystemPackage
package import VmxModel
import VmxSystem

/// systemd's manager of the person who runs the tool, asked by way of `systemctl`.
package struct Systemctl: UnitControl {
  private static let patience: Int64 = 30_000

  private let environment: [String: String]

  /// - Parameter environment: the tool's variables, which lead to the manager's bus.
  package init(_ environment: [String: String]) {
    self.environment = environment
  }

  package func perform(_ words: [String]) throws(Failure) {
    let command = "systemctl --user \(words.joined(separator: " "))"
    let printed: SpawnedProgram.Printed
    do throws(ProcessError) {
      printed = try SpawnedProgram.capture(
        "/bin/sh", ["-c", #"exec systemctl --user "$@" 2>&1"#, "sh"] + words,
        environment: environment.map { "\($0.key)=\($0.value)" }, limit: 4096,
        deadline: Deadline(milliseconds: Self.patience))
    } catch {
      throw Failure(error)
    }
    guard printed.ending != .exited(0) else { return }
    let said = String(decoding: printed.output, as: UTF8.self).split(separator: "\n").first ?? ""
    throw Failure(.userManagerAway, "'\(command)' did not succeed: \(said.lowercased())")
  }
}
