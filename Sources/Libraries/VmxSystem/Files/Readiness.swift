import Glibc
package import SystemPackage

// A read from a pipe, or a write to one, may block for as long as its other end likes. A signal ends
// it only if the kernel chooses this thread, and only while it blocks. So what must heed a request to
// stop asks first whether the call would block.

extension FileDescriptor {
  /// The calls that a descriptor may be ready for.
  package enum Transfer: Sendable {
    /// A read gives bytes, the end or an error.
    case reading
    /// A write takes some bytes, or gives an error.
    case writing
  }

  /// The time in milliseconds between two questions of `waitUntilReady`.
  private static let pause: Int64 = 100

  /// Returns whether a call will not block, waiting for that a time in milliseconds.
  ///
  /// A descriptor that cannot be polled counts as ready: the call tells the error.
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
  /// - Parameter goesOn: called at first and then ten times a second, with the milliseconds waited
  ///   so far; the wait ends once it returns false.
  /// - Returns: whether the descriptor is ready.
  package func waitUntilReady(for transfer: Transfer, while goesOn: (Int64) -> Bool) -> Bool {
    let start = Deadline.nowMilliseconds
    while goesOn(Deadline.nowMilliseconds - start) {
      if isReady(for: transfer, within: Self.pause) { return true }
    }
    return false
  }
}
