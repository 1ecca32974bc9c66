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

/// Ends the process as if the broken pipe had killed it, which is what a pipeline expects.
package func dieBySigpipe() -> Never {
  linux_die_by(SIGPIPE)
  _exit(128 + SIGPIPE)
}
