import CLinux
import Glibc
import SystemPackage

/// A monitor for changes of the machine's links, addresses or routes (rtnetlink(7)).
///
/// If a sandbox refuses the socket, it reports no changes, and every wait lasts until its timeout.
package final class NetworkChanges: Sendable {
  /// The milliseconds without messages after which a change counts as complete.
  private static let quiet: Int32 = 250
  /// The maximum number of messages that count as one change.
  private static let most = 40

  private let socket: FileDescriptor?

  /// Opens and binds the netlink socket.
  package init() {
    var descriptor: Int32 = -1
    socket =
      linux_network_changes(&descriptor) == 0 ? FileDescriptor(rawValue: descriptor) : nil
  }

  deinit {
    if let socket { _ = Glibc.close(socket.rawValue) }
  }

  /// Whether changes can be detected.
  package var isListening: Bool { socket != nil }

  /// Waits up to the given number of milliseconds for a change to begin, then until it is complete.
  ///
  /// - Returns: whether there was a change.
  package func wait(milliseconds: Int32) -> Bool {
    guard let socket else {
      Deadline(milliseconds: Int64(milliseconds)).sleep(nanoseconds: .max)
      return false
    }
    guard Self.hasNews(socket, within: milliseconds) else { return false }
    var pieces = 1
    while pieces < Self.most, Self.hasNews(socket, within: Self.quiet) { pieces += 1 }
    return true
  }

  /// Waits for messages and drains the socket; lost messages (ENOBUFS) count as a change too.
  private static func hasNews(_ socket: FileDescriptor, within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, milliseconds) > 0 else { return false }
    var piece = [UInt8](repeating: 0, count: 8192)
    while recv(socket.rawValue, &piece, piece.count, Int32(MSG_DONTWAIT)) > 0 {}
    return true
  }
}
