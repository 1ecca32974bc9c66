import Glibc
import SystemPackage
import VmxModel
import VmxPlugins
import VmxSystem

/// Asks the installed tools of vmx themselves. Plugins are never run.
struct OwnTools {
  private let launcher: ToolLauncher

  init(_ launcher: ToolLauncher) {
    self.launcher = launcher
  }

  /// Whether the library has no episodes; false also if `vmx list` does not say so at once, as
  /// while parental control hides them.
  var isLibraryEmpty: Bool {
    guard let (output, errors) = run("list", ["--all", "--fields", "id"], milliseconds: 300) else {
      return false
    }
    return output.isEmpty && errors.contains(Toolbox.firstSteps)
  }

  /// Returns the help of a tool; nil if it does not answer.
  func help(of name: String) -> String? {
    run(name, ["--help"], milliseconds: 2000)?.output
  }

  /// Returns what a tool writes; nil if it fails or takes longer.
  private func run(
    _ name: String, _ arguments: [String], milliseconds: Int64
  ) -> (output: String, errors: String)? {
    guard let path = launcher.path(of: name) else { return nil }
    let call = ProgramCall(FilePath(path), arguments, environment: Self.environment)
    do throws(ProcessError) {
      let end = try SpawnedProgram.captureOutput(
        of: call, limit: 1 << 20, until: Deadline(milliseconds: milliseconds))
      guard case .ended(.exited(0), let output, let errors) = end else { return nil }
      return (String(decoding: output, as: UTF8.self), String(decoding: errors, as: UTF8.self))
    } catch {
      return nil
    }
  }

  private static var environment: [String] {
    var variables: [String] = []
    var next = environ
    while let text = next.pointee {
      variables.append(String(cString: text))
      next += 1
    }
    return variables
  }
}
