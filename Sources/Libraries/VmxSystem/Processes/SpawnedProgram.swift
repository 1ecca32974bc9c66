import CLinux
import Glibc
package import SystemPackage

// Children are made by posix_spawn alone: between a fork and an exec a copy of this process would
// hold the lock file's description, and its locks would outlive us. Everything we open is
// close-on-exec; what libraries open may not be, so all but the three streams is closed for it as
// well. What we ignore for our own purposes (SIGPIPE, SIGXFSZ) and what our workers block is put
// back.

/// Another program, run as a child of this process.
package struct SpawnedProgram: Sendable {
  /// How a program ended.
  package enum Ending: Sendable, Equatable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal.
    case signalled(Int32)
  }

  /// Number of the process, as long as nobody has waited for it.
  package let id: Int32
  private let leadsGroup: Bool

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: of the executable; PATH is not searched.
  ///   - arguments: what follows the program's own name.
  ///   - environment: the whole of it, as `NAME=value`.
  ///   - input: becomes standard input; `/dev/null` if nil.
  ///   - output: becomes standard output; ours if nil.
  ///   - errors: becomes standard error; ours if nil.
  ///   - leadsGroup: whether it and what it starts get their own process group, which signals
  ///     then reach as a whole.
  /// - Throws: `ProcessError.notStarted`.
  package static func start(
    _ path: FilePath, _ arguments: [String], environment: [String], input: FileDescriptor? = nil,
    output: FileDescriptor? = nil, errors: FileDescriptor? = nil, leadsGroup: Bool = false
  ) throws(ProcessError) -> SpawnedProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A descriptor that is duplicated onto itself loses its close-on-exec mark, as it must.
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.rawValue, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output.rawValue, STDOUT_FILENO) }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors.rawValue, STDERR_FILENO) }
    _ = linux_spawn_closing(&actions, STDERR_FILENO + 1)
    var attributes = attributes(leadsGroup: leadsGroup)
    defer { posix_spawnattr_destroy(&attributes) }
    var id = pid_t()
    let error = withCStrings([path.string] + arguments) { words in
      withCStrings(environment) { variables in
        path.withPlatformString { posix_spawn(&id, $0, &actions, &attributes, words, variables) }
      }
    }
    guard error == 0 else { throw .notStarted(path, Errno(rawValue: error)) }
    return SpawnedProgram(id: id, leadsGroup: leadsGroup)
  }

  /// Waits until it ends; to be called once.
  package func wait() -> Ending {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      // Somebody else has waited for it: nothing is known of its end.
      guard errno == EINTR else { return .exited(127) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Sends it a signal, or the group that it leads; to be called only before `wait`.
  package func send(_ signal: Int32) {
    _ = kill(leadsGroup ? -id : id, signal)
  }

  private static func attributes(leadsGroup: Bool) -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if leadsGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    return attributes
  }
}

/// Lends texts as the array of C strings, ended by NULL, that exec and its like take.
func withCStrings<R>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
) -> R {
  var pointers = texts.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers)
}
