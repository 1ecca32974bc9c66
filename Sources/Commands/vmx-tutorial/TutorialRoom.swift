import Glibc
import SystemPackage
import VmxCommand
import VmxModel
import VmxPlugins
import VmxStore
import VmxSystem

// The folder must not outlive this process, even if it is killed. So another process removes it: a
// shell that waits for the end of its standard input, a pipe from this process. It leads a process
// group of its own, which the keys of the terminal do not reach. After a kill, a command of the
// user may still write for a moment; the shell then removes the folder repeatedly for some seconds.

/// The temporary folder of a lesson: its home, its library and its origin.
final class TutorialRoom {
  /// The URL of the origin, without a slash at its end.
  let address: String
  private let folder: FilePath
  private let variables: [String: String]
  private let context: CommandContext
  private let remover: SpawnedProgram
  private var lifeline: CInt

  private static let removal = """
    trap '' HUP INT TERM
    if read -r end; then rm -rf -- "$0"; exit; fi
    n=0
    while [ $n -lt 20 ]; do rm -rf -- "$0"; sleep 0.2; n=$((n + 1)); done
    """

  /// Creates the folder, and starts the origin and the process that removes the folder.
  ///
  /// - Throws: `resources-short`, `media-unwritable` if no folder can be created.
  init(in context: CommandContext) throws {
    self.context = context
    var template = Array((context.environment["TMPDIR"] ?? "/tmp").utf8CString.dropLast())
    template += Array("/vmx-tutorial-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(
        .mediaUnwritable, "cannot create a temporary folder: \(Errno(rawValue: errno).message)")
    }
    folder = FilePath(platformString: template)
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else {
      rmdir(template)
      throw Failure(.resourcesShort, "cannot create a pipe: \(Errno(rawValue: errno).message)")
    }
    lifeline = ends[1]
    defer { close(ends[0]) }
    remover = try SpawnedProgram.start(
      ProgramCall(
        "/bin/sh", ["-c", Self.removal, folder.string], environment: ["PATH=/usr/bin:/bin"],
        input: FileDescriptor(rawValue: ends[0])),
      leadsGroup: true)
    address = "http://127.0.0.1:\(try TutorialOrigin.start())"
    variables = Self.variables(of: context, in: folder)
  }

  /// Returns the variables of the user's commands: all folders of a user are in the temporary one.
  private static func variables(
    of context: CommandContext, in folder: FilePath
  ) -> [String: String] {
    let tools = ToolLauncher.ofTool(executable: ToolLauncher.program ?? "").folders
    var variables = context.environment.variables.filter { name, _ in
      !name.hasPrefix("VMX_") && !name.hasPrefix("XDG_") || name == "VMX_EXEC_PATH"
    }
    variables["PATH"] = (tools + [variables["PATH"] ?? "/usr/bin:/bin"]).joined(separator: ":")
    variables["HOME"] = folder.string
    variables["VMX_HOME"] = folder.appending("vmx").string
    variables["VMX_METERED"] = "no"
    variables["no_proxy"] = "127.0.0.1"
    return variables
  }

  /// Runs a command line of the user in the foreground; returns whether it succeeded.
  ///
  /// - Throws: `ProcessError.notStarted`.
  func run(_ line: String) throws -> Bool {
    let call = ProgramCall(
      "/bin/sh", ["-c", "cd \"$HOME\" && \(line)"],
      environment: variables.map { "\($0.key)=\($0.value)" }, input: .standardInput)
    return try runInForeground(call) == .exited(0)
  }

  /// Returns the library as it is now.
  ///
  /// - Throws: the errors of the store.
  func snapshot() throws -> StoreSnapshot {
    try LibraryStore.open(
      LibraryHome(folder.appending("vmx")), clock: context.systemClock
    ).snapshot()
  }

  /// Removes the folder, and waits until it is gone.
  func remove() {
    _ = write(lifeline, "\n", 1)
    close(lifeline)
    _ = remover.wait()
  }
}
