import Glibc
package import SystemPackage

// A read from or write to a pipe may block for as long as the other end is idle. A signal ends it
// only if the kernel delivers it to this thread, and only while the call blocks. So code that must
// honour a request to stop first checks whether the call would block.

extension FileDescriptor {
  /// The calls for which a descriptor may be ready.
  package enum Transfer: Sendable {
    /// A read returns bytes, the end of the stream or an error.
    case reading
    /// A write accepts some bytes or returns an error.
    case writing
  }

  /// The polling interval of `waitUntilReady` in milliseconds.
  private static let pause: Int64 = 100

  /// Waits up to a time in milliseconds until a call will not block; returns whether that is so.
  ///
  /// A descriptor that cannot be polled counts as ready: the call then reports the error.
  package func isReady(for transfer: Transfer, within milliseconds: Int64) -> Bool {
    let deadline = Deadline(milliseconds: milliseconds)
    let events = transfer == .reading ? POLLIN : POLLOUT
    var request = pollfd(fd: rawValue, events: Int16(events), revents: 0)
    while poll(&request, 1, deadline.pollTimeout) < 0 {
      guard errno == EINTR else { return true }
      if deadline.isPast { return false }
    }
    return request.revents != 0
  }

  /// Waits until a call will not block.
  ///
  /// - Parameter shouldContinue: called immediately and then ten times a second, with the
  ///   milliseconds waited so far; the wait ends once it returns false.
  /// - Returns: whether the descriptor is ready.
  package func waitUntilReady(for transfer: Transfer, while shouldContinue: (Int64) -> Bool) -> Bool
  {
    let start = Deadline.nowMilliseconds
    while shouldContinue(Deadline.nowMilliseconds - start) {
      if isReady(for: transfer, within: Self.pause) { return true }
    }
    return false
  }
}
