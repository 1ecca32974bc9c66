import CLinux
import Glibc
package import SystemPackage
package import VmxModel

// Children are created only by posix_spawn. Between fork and exec a copy of this process would hold
// the lock file's description, and its locks would outlive this process. All descriptors of vmx are
// close-on-exec. Those of libraries may not be, so the child closes all but the three standard
// streams. Signals that vmx ignores (SIGPIPE, SIGXFSZ) and signals that workers block are reset for
// the child.

/// A program to run, with what it receives.
package struct ProgramCall: Sendable {
  let path: FilePath
  let arguments: [String]
  let environment: [String]
  let input: FileDescriptor?

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - path: the executable; PATH is not searched.
  ///   - arguments: the arguments after the program's own name.
  ///   - environment: the whole environment, as `NAME=value`.
  ///   - input: becomes standard input; `/dev/null` if nil.
  package init(
    _ path: FilePath, _ arguments: [String], environment: [String], input: FileDescriptor? = nil
  ) {
    self.path = path
    self.arguments = arguments
    self.environment = environment
    self.input = input
  }
}

/// Another program, run as a child process.
package struct SpawnedProgram: Sendable {
  /// The end of a program.
  package enum Ending: Sendable, Equatable {
    /// It exited with a status.
    case exited(Int32)
    /// It was ended by a signal.
    case signalled(Int32)
  }

  /// The process id, valid until the process is reaped.
  package let id: Int32
  private let isGroupLeader: Bool

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - output: becomes standard output; inherited if nil.
  ///   - errors: becomes standard error; inherited if nil.
  ///   - channel: becomes descriptor 3; none if nil.
  ///   - leadsGroup: whether the program leads a new process group, so that signals reach it and
  ///     the processes that it starts.
  /// - Throws: `ProcessError.notStarted`.
  package static func start(
    _ call: ProgramCall, output: FileDescriptor? = nil, errors: FileDescriptor? = nil,
    channel: FileDescriptor? = nil, leadsGroup: Bool = false
  ) throws(ProcessError) -> SpawnedProgram {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Duplicating a descriptor onto itself clears its close-on-exec flag, as required here.
    if let input = call.input {
      posix_spawn_file_actions_adddup2(&actions, input.rawValue, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output { posix_spawn_file_actions_adddup2(&actions, output.rawValue, STDOUT_FILENO) }
    if let errors { posix_spawn_file_actions_adddup2(&actions, errors.rawValue, STDERR_FILENO) }
    var firstClosed = STDERR_FILENO + 1
    if let channel {
      posix_spawn_file_actions_adddup2(&actions, channel.rawValue, firstClosed)
      firstClosed += 1
    }
    _ = linux_spawn_closing(&actions, firstClosed)
    var attributes = attributes(leadsGroup: leadsGroup)
    defer { posix_spawnattr_destroy(&attributes) }
    var id = pid_t()
    let error = withCStrings([call.path.string] + call.arguments) { words in
      withCStrings(call.environment) { variables in
        call.path.withPlatformString {
          posix_spawn(&id, $0, &actions, &attributes, words, variables)
        }
      }
    }
    guard error == 0 else { throw .notStarted(call.path, Errno(rawValue: error)) }
    return SpawnedProgram(id: id, isGroupLeader: leadsGroup)
  }

  /// Waits until the program ends and reaps it; call it once.
  package func wait() -> Ending {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      // Another caller has reaped the process: its status is unknown.
      guard errno == EINTR else { return .exited(127) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }

  /// Sends a signal to the program, or to the group that it leads; only before `wait`.
  package func send(_ signal: Int32) {
    _ = kill(isGroupLeader ? -id : id, signal)
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

/// Calls the body with texts as an array of C strings, terminated by NULL, as exec expects.
func withCStrings<R>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
) -> R {
  var pointers = texts.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers)
}

extension SpawnedProgram {
  /// The outcome of waiting for a program.
  package enum WaitResult: Sendable, Equatable {
    /// It ended by itself.
    case ended(Ending)
    /// It was terminated because the deadline had passed.
    case timedOut
    /// It was terminated because this process was requested to stop.
    case interrupted
  }

  /// The milliseconds between SIGTERM and SIGKILL.
  package static let grace: Int64 = 500
  /// The polling interval in milliseconds if the kernel does not report the end of a child (no
  /// pidfd).
  private static let slice: Int32 = 20

  /// Waits until the program ends. At the deadline or on an interruption it sends SIGTERM, and half
  /// a second later SIGKILL. Call it once, in place of `wait`.
  ///
  /// - Parameter interruption: the request to stop this process, if any.
  package func wait(until deadline: Deadline, or interruption: Interruption?) -> WaitResult {
    var descriptor: Int32 = -1
    _ = linux_process_descriptor(id, &descriptor)
    defer { if descriptor >= 0 { close(descriptor) } }
    if hasEnded(by: deadline, descriptor, interruption) { return .ended(wait()) }
    let result: WaitResult = interruption?.isRequested == true ? .interrupted : .timedOut
    send(SIGTERM)
    if !hasEnded(by: Deadline(milliseconds: Self.grace), descriptor, nil) { send(SIGKILL) }
    _ = wait()
    return result
  }

  /// Whether the program ended before the deadline and before this process was asked to stop.
  private func hasEnded(
    by deadline: Deadline, _ descriptor: Int32, _ interruption: Interruption?
  ) -> Bool {
    while !hasEnded {
      if deadline.isPast || interruption?.isRequested == true { return false }
      var watched = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interruption?.descriptor.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let left = deadline.pollTimeout
      _ = poll(&watched, 2, descriptor < 0 ? min(left, Self.slice) : left)
    }
    return true
  }

  /// Whether the program has ended; it remains to be reaped by `wait`.
  private var hasEnded: Bool {
    var facts = siginfo_t()
    let options = WEXITED | WNOHANG | WNOWAIT
    // A process that cannot be queried no longer exists.
    guard waitid(P_PID, id_t(id), &facts, options) == 0 else { return errno != EINTR }
    return facts.si_signo == SIGCHLD
  }
}

/// The reason for which a thread or another program could not be started.
package enum ProcessError: CodedError, Equatable {
  /// The system refused to create a thread.
  case noThread(String, Errno)
  /// The program could not be started.
  case notStarted(FilePath, Errno)

  package var code: ErrorCode {
    switch self {
    case .noThread: .resourcesShort
    case .notStarted(_, let errno):
      switch errno {
      case .resourceTemporarilyUnavailable, .noMemory, .tooManyOpenFiles,
        .tooManyOpenFilesInSystem:
        .resourcesShort
      default: .unknownCommand
      }
    }
  }

  package var summary: String {
    switch self {
    case .noThread(let name, let errno): "cannot start the thread '\(name)': \(errno.message)"
    case .notStarted(let path, let errno): "cannot run '\(path)': \(errno.message)"
    }
  }
}
