import Glibc
import SystemPackage
import VmxTestSupport

/// The environment of a story: a scratch folder with its own HOME and VMX_HOME, the commands on
/// PATH, a clean environment, and the started processes. They end with it at the latest.
///
/// `sh` runs the shell lines one after another in the folder. Their input is empty and their output
/// goes to files, so that a process left behind never blocks the story.
final class StoryStage {
  /// The maximum number of seconds for a command: much more than any needs, even on a busy machine.
  static let patience = 600.0

  /// The top folder of the project, for stories about its scripts.
  private static let source = FilePath(#filePath).removingLastComponent().removingLastComponent()
    .removingLastComponent().string

  /// The result of a finished command.
  struct Result {
    let status: Int32
    let stdout: String
    let stderr: String
  }

  let folder: ScratchFolder
  private var environment: [String: String]
  private var running: [String: ChildProcess] = [:]
  private let toolFolder: String

  /// - Parameters:
  ///   - tools: the folders with the commands, as in PATH.
  ///   - support: the folder with the loopback origin.
  init(tools: String, support: String) throws {
    folder = try ScratchFolder()
    toolFolder = support
    let place = folder.path.string
    environment = [
      "PATH": "\(tools):\(Self.source)/.build/python/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin",
      "HERE": place,
      "SOURCE": Self.source, "HOME": "\(place)/home", "TMPDIR": "\(place)/tmp",
      "VMX_HOME": "\(place)/vmx",
      "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "SWIFT_BACKTRACE": "enable=no",
    ]
    try folder.makeFolder("home")
    try folder.makeFolder("tmp")
  }

  deinit {
    for process in running.values {
      process.kill(SIGKILL)
      _ = process.wait(seconds: 5)
    }
  }

  /// Runs a shell line to its end.
  ///
  /// - Throws: a description if the line exceeds the time limit; it is then killed.
  func run(_ line: String) throws -> Result {
    let name = "command"
    try start(name, line)
    return try finish(name)
  }

  /// Repeats a shell line until it succeeds or this many seconds have passed.
  ///
  /// - Returns: the last result.
  func result(of line: String, within seconds: Double) throws -> Result {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    while true {
      let result = try run(line)
      guard result.status != 0, clock.now < deadline else { return result }
      usleep(20_000)
    }
  }

  /// Returns the findings of `vmx doctor` about the trails of the library that the story leaves;
  /// nil if each is a path of the state tables, or there is no library.
  func faultsOfTrails() throws -> String? {
    let result = try run(
      "[ -s \"$VMX_HOME/store.jsonl\" ] && timeout 60 vmx doctor --fields check,severity,subject,what"
        + " 2>&1 | grep '^trails\tnote'")
    return result.status == 0 ? result.stdout : nil
  }

  /// Starts a single command in place of the shell, so that signals and exit statuses are its own.
  func startAlone(_ name: String, _ line: String) throws {
    try start(name, "exec \(line)")
  }

  private func start(_ name: String, _ line: String) throws {
    guard running[name] == nil else { throw Trouble("'\(name)' still runs") }
    running[name] = try ChildProcess(
      "/usr/bin/env", ["-C", folder.path.string, "/bin/sh", "-c", line], environment: environment,
      streams: .init(output: file(name, "stdout"), error: file(name, "stderr")))
  }

  /// Waits for the command that was started under a name.
  func finish(_ name: String) throws -> Result {
    guard let process = running.removeValue(forKey: name) else {
      throw Trouble("nothing runs under the name '\(name)'")
    }
    guard let ending = process.wait(seconds: Self.patience) else {
      process.kill(SIGKILL)
      _ = process.wait(seconds: 5)
      throw Trouble("still running after \(Int(Self.patience)) s\n\(try report(name))")
    }
    return Result(
      status: ending.shellStatus, stdout: try text(name, "stdout"),
      stderr: try text(name, "stderr"))
  }

  /// Sends a signal to the command that was started under a name.
  func kill(_ name: String, _ signal: Int32) throws {
    guard let process = running[name] else {
      throw Trouble("nothing runs under the name '\(name)'")
    }
    process.kill(signal)
  }

  /// Sets a variable for the following commands; the shell expands the value.
  func set(_ name: String, _ value: String) throws {
    let result = try run("printf %s \"\(value)\"")
    environment[name] = result.stdout
  }

  /// Starts the loopback origin and sets ORIGIN and ORIGIN2.
  func startOrigin(_ options: String) throws {
    let ports = try startServer(
      "origin", "'\(toolFolder)/loopback-origin' --log origin.log --life \(Self.life) \(options)",
      ports: 2)
    environment["ORIGIN"] = "http://127.0.0.1:\(ports[0])"
    let scheme = options.contains("--certificate") ? "https" : "http"
    environment["ORIGIN2"] = "\(scheme)://127.0.0.1:\(ports[1])"
  }

  /// The number of seconds after which a server that was left behind exits by itself.
  private static var life: Int { Int(patience * 4) }

  /// Starts the licence backend, or the server of another kind, and sets BACKEND.
  func startBackend(_ kind: String = "") throws {
    let words = kind.split(separator: " ")
    let (name, program) =
      switch words.first {
      case "sync": ("sync", "sync-backend' --kind \(words.dropFirst().first ?? "gpodder")")
      case "kodi": ("kodi", "kodi-backend'")
      default: ("backend", "licence-backend'")
      }
    let ports = try startServer(
      name, "'\(toolFolder)/\(program) --log \(name).log --life \(Self.life)", ports: 1)
    environment["BACKEND"] = "http://127.0.0.1:\(ports[0])"
  }

  /// Starts a server and returns the ports that it prints, one on each line.
  private func startServer(_ name: String, _ line: String, ports count: Int) throws -> [Substring] {
    try startAlone(name, line)
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(Self.patience)
    while clock.now < deadline {
      let ports = try text(name, "stdout").split(separator: "\n", omittingEmptySubsequences: false)
      if ports.count > count { return ports }
      guard running[name]?.poll() == nil else { break }
      usleep(2000)
    }
    throw Trouble("the \(name) does not start\n\(try report(name))")
  }

  private func file(_ name: String, _ stream: String) -> FilePath {
    folder.path("tmp/.\(name).\(stream)")
  }

  private func text(_ name: String, _ stream: String) throws -> String {
    try folder.text("tmp/.\(name).\(stream)")
  }

  private func report(_ name: String) throws -> String {
    "--- stdout\n\(try text(name, "stdout"))--- stderr\n\(try text(name, "stderr"))"
  }

  /// Returns the path of the file with the last command's output.
  func path(of stream: StoryStep.Stream) -> String {
    file("last", stream.rawValue).string
  }

  /// Stores the output of a command for `same stdout FILE`.
  func keep(_ result: Result) throws {
    try folder.write("tmp/.last.stdout", result.stdout)
    try folder.write("tmp/.last.stderr", result.stderr)
  }

  /// The reason why a step could not be performed, as text.
  struct Trouble: Error {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }
}
