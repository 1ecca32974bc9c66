import CLinux
import Glibc

/// Turns the end of a pipe's reader into EPIPE, for tools that have things to finish first.
package func ignoreBrokenPipes() {
  _ = linux_ignore(SIGPIPE)
}

/// Turns the limit on file sizes into EFBIG, so that it is a failure like others.
package func ignoreFileSizeSignals() {
  _ = linux_ignore(SIGXFSZ)
}

/// Ends the process by a signal's default action, so that its parent sees why.
///
/// Comes back only where the signal has no action that ends a process.
package func die(by signal: CInt) {
  linux_die_by(signal)
}
