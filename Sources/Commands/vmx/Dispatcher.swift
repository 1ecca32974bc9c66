import CLinux

// This executable starts before every tool, so it is Embedded Swift: without the Swift runtime it
// starts in a fifth of the time and has a fifteenth of the size. It handles only the most frequent
// case, `vmx NAME ARGUMENT...` for an installed tool. Its companion handles everything else.

/// Finds the named tool and replaces this process with it.
@main
struct Dispatcher {
  static func main() {
    let executable = ToolLauncher.program ?? "vmx"
    let launcher = ToolLauncher(
      execPath: ToolLauncher.variable("VMX_EXEC_PATH"), executable: executable,
      searchPath: ToolLauncher.variable("PATH"))
    let hasOwnName = linux_argument(0).map { $0.pointee != 0 } ?? false
    if hasOwnName, let word = linux_argument(1) {
      run(String(cString: word), launcher)
    }
    // The companion finds the tool folders from the path of this executable, and refuses to run if
    // this process was started without argument 0.
    let folder = launcher.ownFolder
    _ = ToolLauncher.exec(
      "\(folder)/\(ToolLauncher.companion)", as: hasOwnName ? executable : "", arguments(from: 1))
    linux_end(78, "vmx: error[tool-broken]: cannot run '\(folder)/\(ToolLauncher.companion)'\n")
  }

  /// Replaces this process with the tool; returns if it does not exist or cannot be executed.
  private static func run(_ name: String, _ launcher: ToolLauncher) {
    guard !name.utf8.elementsEqual("help".utf8), let path = launcher.path(of: name) else { return }
    launcher.export(version: Version.text, to: path)
    _ = ToolLauncher.exec(path, as: path, arguments(from: 2))
  }

  private static func arguments(from first: Int32) -> [UnsafePointer<CChar>?] {
    let count = linux_argument_count()
    return first < count ? (first..<count).map { linux_argument($0) } : []
  }
}
