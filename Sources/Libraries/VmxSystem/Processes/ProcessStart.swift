import CLinux
import Glibc
package import SystemPackage
package import VmxModel

// The order at the start of every program: standard streams, inherited signal settings, limits,
// arguments. Streams come first, since any other call could open a file under their numbers.
// Swift's own `CommandLine` is never used. It reads /proc, and if that fails it returns no
// arguments, so that a command would do something other than requested.

/// The initial state of a process, made independent of its parent.
package enum ProcessStart {
  /// The minimum limit of open descriptors (RLIMIT_NOFILE) with which a program starts.
  package static let minDescriptors = 16

  /// Normalises streams and signals, and checks the limits and the arguments.
  ///
  /// A standard stream that the parent closed is opened on `/dev/null` in a mode in which its use
  /// fails. SIGCHLD gets its default action: ignored, it would hide the exit status of every child.
  ///
  /// - Throws: `resources-short` if the descriptor limit is too low, `usage` without a program
  ///   name.
  package static func prepare() throws(Failure) {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      guard open("/dev/null", mode) == descriptor else {
        throw Failure(.resourcesShort, "cannot open '/dev/null': \(Errno.last.message)")
      }
    }
    _ = signal(SIGCHLD, SIG_DFL)
    try checkDescriptors()
    guard arguments.first?.isEmpty == false else {
      throw Failure(
        .usage, "the program was started without its name",
        hint: "pass the program's name as argument 0")
    }
  }

  /// The arguments of `main`, including the program's name, each as `ArgumentText`.
  ///
  /// Empty only if the parent passed none.
  package static let arguments: [String] = (0..<linux_argument_count()).compactMap { index in
    linux_argument(index).map { word in
      let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
      return ArgumentText.text(of: Array(bytes))
    }
  }

  /// Returns the environment variables and their values.
  package static func variables() -> [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let end = text.firstIndex(of: "=") {
        variables[String(text[..<end])] = String(text[text.index(after: end)...])
      }
      next += 1
    }
    return variables
  }

  /// Returns the absolute path of the working directory.
  ///
  /// A removed working directory has no path. Relative paths then refer to no file, as in any call
  /// of the system.
  package static func workFolder() -> FilePath {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    return getcwd(&buffer, buffer.count).map { FilePath(platformString: $0) } ?? "/proc/self/cwd"
  }

  private static func checkDescriptors() throws(Failure) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(minDescriptors)
    else { return }
    throw Failure(
      .resourcesShort,
      "the limit of \(limit.rlim_cur) open files is too low, need at least \(minDescriptors)"
    )
  }
}
