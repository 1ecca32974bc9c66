import CLinux
import Glibc

/// Ignores SIGPIPE, so that a closed pipe gives EPIPE and a tool can finish its work first.
package func ignoreBrokenPipes() {
  _ = linux_ignore(SIGPIPE)
}

/// Ignores SIGXFSZ, so that the file size limit gives EFBIG, an ordinary error.
package func ignoreFileSizeSignals() {
  _ = linux_ignore(SIGXFSZ)
}

/// Ends the process by a signal's default action, so that its parent sees the signal.
///
/// Returns only if the signal's default action does not end a process.
package func die(by signal: CInt) {
  linux_die_by(signal)
}
