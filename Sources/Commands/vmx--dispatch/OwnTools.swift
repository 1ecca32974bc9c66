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

  /// Whether `vmx list` shows no episode; false also if it does not answer at once.
  var isLibraryEmpty: Bool {
    output(of: "list", ["--all", "--fields", "id"], milliseconds: 300).map(\.isEmpty) ?? false
  }

  /// Returns the help of a tool; nil if it does not answer.
  func help(of name: String) -> String? {
    output(of: name, ["--help"], milliseconds: 2000).map { String(decoding: $0, as: UTF8.self) }
  }

  private func output(
    of name: String, _ arguments: [String], milliseconds: Int64
  ) -> [UInt8]? {
    guard let path = launcher.path(of: name) else { return nil }
    let call = ProgramCall(FilePath(path), arguments, environment: Self.environment)
    do throws(ProcessError) {
      let end = try SpawnedProgram.captureOutput(
        of: call, limit: 1 << 20, until: Deadline(milliseconds: milliseconds))
      guard case .ended(.exited(0), let output, _) = end else { return nil }
      return output
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
