import SystemPackage
package import VmxModel
import VmxSystem

/// The systemd user manager, controlled through `systemctl`.
package struct Systemctl: UnitControl {
  private static let patience: Int64 = 30_000

  private let environment: [String: String]

  /// Creates a controller.
  ///
  /// - Parameter environment: the tool's environment variables, which name the manager's bus.
  package init(_ environment: [String: String]) {
    self.environment = environment
  }

  package func perform(_ words: [String]) throws(Failure) {
    let command = "systemctl --user \(words.joined(separator: " "))"
    let heard: SpawnedProgram.CapturedOutput
    do throws(ProcessError) {
      heard = try SpawnedProgram.captureOutput(
        "/bin/sh", ["-c", #"exec systemctl --user "$@""#, "sh"] + words,
        environment: environment.map { "\($0.key)=\($0.value)" }, limit: 4096,
        until: Deadline(milliseconds: Self.patience))
    } catch {
      throw Failure(error)
    }
    var said = ""
    if case .ended(let ending, let output, let errors) = heard {
      if ending == .exited(0) { return }
      said = String(decoding: errors + output, as: UTF8.self)
    }
    let line = said.split(separator: "\n").first ?? ""
    throw Failure(.userManagerAway, "'\(command)' did not succeed: \(line.lowercased())")
  }
}
