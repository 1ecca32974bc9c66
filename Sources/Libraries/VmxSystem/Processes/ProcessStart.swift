import CLinux
import Glibc
import SystemPackage
package import VmxModel

// The order at the start of every program: standard streams first, since any other call could open
// a file under their numbers; then inherited signal settings; then limits; then the arguments.
// Swift's own `CommandLine` is never asked: it reads /proc, and where that fails it gives no
// arguments at all, so that a command would do something else than it was told.

/// The state in which a process decides what to do: the same whatever its parent left.
package enum ProcessStart {
  /// The lowest limit on open descriptors (RLIMIT_NOFILE) with which a program starts.
  package static let leastDescriptors = 16

  /// Puts streams and signals in order and checks the limits and the arguments.
  ///
  /// A standard stream that the parent closed is filled with `/dev/null`, opened so that using it
  /// fails. SIGCHLD gets its default effect: ignored, it would hide the status of every child.
  ///
  /// - Throws: `resources-short` where descriptors are too few, `usage` without a program name.
  package static func prepare() throws(Failure) {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      let mode = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
      guard open("/dev/null", mode) == descriptor else {
        throw Failure(.resourcesShort, "cannot open '/dev/null': \(Errno.last.words)")
      }
    }
    _ = signal(SIGCHLD, SIG_DFL)
    try checkDescriptors()
    guard arguments.first?.isEmpty == false else {
      throw Failure(
        .usage, "the program was started without its name",
        hint: "give the program's name as its argument 0")
    }
  }

  /// The arguments of `main`, the program's name first, each as `ArgumentText`.
  ///
  /// Empty only where the parent passed none.
  package static let arguments: [String] = (0..<linux_argument_count()).compactMap { index in
    linux_argument(index).map { word in
      let bytes = UnsafeRawBufferPointer(start: word, count: strlen(word))
      return ArgumentText.text(of: Array(bytes))
    }
  }

  private static func checkDescriptors() throws(Failure) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < rlim_t(leastDescriptors)
    else { return }
    throw Failure(
      .resourcesShort,
      "the limit of \(limit.rlim_cur) open files is too low, at least \(leastDescriptors) are needed"
    )
  }
}
