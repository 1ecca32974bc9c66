import Glibc
package import SystemPackage

/// A program started by a test, in a process group of its own, with default signal handling.
///
/// The caller must wait for it or kill it.
package struct ChildProcess: Sendable {
  /// The end of a process.
  package enum Ending: Sendable, Equatable {
    /// It exited by itself with this status.
    case exited(Int32)
    /// It was killed by this signal.
    case signalled(Int32)

    /// The status that a shell would assign to `$?`.
    package var shellStatus: Int32 {
      switch self {
      case .exited(let status): status
      case .signalled(let signal): 128 + signal
      }
    }
  }

  /// The files for the three standard streams; the input file must exist, the others are truncated.
  package struct Streams: Sendable {
    fileprivate let input: FilePath
    fileprivate let output: FilePath
    fileprivate let error: FilePath

    /// Creates streams for these files; by default, the input is empty.
    package init(input: FilePath = "/dev/null", output: FilePath, error: FilePath) {
      self.input = input
      self.output = output
      self.error = error
    }
  }

  /// The process id, which is also the id of its process group.
  package let id: Int32

  /// Starts a program with exactly this environment.
  ///
  /// - Throws: `Errno` of posix_spawn, such as `.noSuchFileOrDirectory`.
  package init(
    _ program: String, _ arguments: [String], environment: [String: String], streams: Streams
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let fresh = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, streams.input.string, O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, streams.output.string, fresh, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, streams.error.string, fresh, 0o600)
    var attributes = Self.attributes()
    defer { posix_spawnattr_destroy(&attributes) }

    let words = CStrings([program] + arguments)
    let variables = CStrings(environment.map { "\($0.key)=\($0.value)" }.sorted())
    var id: pid_t = 0
    let failure = withExtendedLifetime((words, variables)) {
      posix_spawn(&id, program, &actions, &attributes, words.pointers, variables.pointers)
    }
    guard failure == 0 else { throw Errno(rawValue: failure) }
    self.id = id
  }

  /// Sets a process group of its own, with no signal blocked or ignored: the child must not inherit
  /// the signal handling of the test process.
  private static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
  }

  /// Returns how the process ended; nil if it still runs. The end is reported only once.
  package func poll() -> Ending? {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
  }

  /// Waits until the process ends; returns nil if it still runs after this many seconds.
  package func wait(seconds: Double) -> Ending? {
    let clock = ContinuousClock()
    let deadline = clock.now + .seconds(seconds)
    var pause: UInt32 = 500
    repeat {
      if let ending = poll() { return ending }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    } while clock.now < deadline
    return poll()
  }

  /// Sends a signal to the process and to all processes in its group.
  package func kill(_ signal: Int32) {
    Glibc.kill(-id, signal)
  }
}

/// A null-terminated array of C strings.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ texts: [String]) {
    count = texts.count
    pointers = .allocate(capacity: count + 1)
    for (index, text) in texts.enumerated() { pointers[index] = strdup(text) }
    pointers[count] = nil
  }

  deinit {
    for index in 0..<count { free(pointers[index]) }
    pointers.deallocate()
  }
}
