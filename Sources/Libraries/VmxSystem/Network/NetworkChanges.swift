import CLinux
import Glibc
import SystemPackage

/// Notices that links, addresses or routes of the machine change (rtnetlink(7)).
///
/// Where a sandbox refuses the socket nothing is noticed, and every wait lasts its whole time.
package final class NetworkChanges: Sendable {
  /// Milliseconds without news after which a change counts as over.
  private static let quiet: Int32 = 250
  /// Pieces of news that belong to one change at most.
  private static let most = 40

  private let socket: FileDescriptor?

  /// Begins to listen.
  package init() {
    var descriptor: Int32 = -1
    socket =
      linux_network_changes(&descriptor) == 0 ? FileDescriptor(rawValue: descriptor) : nil
  }

  deinit {
    if let socket { _ = Glibc.close(socket.rawValue) }
  }

  /// Whether changes are noticed at all.
  package var isListening: Bool { socket != nil }

  /// Waits for a change, and until it is over, but no longer than so many milliseconds for its
  /// begin.
  ///
  /// - Returns: whether there was one.
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

  /// Waits for news and takes all there is; that some was lost is news as well.
  private static func hasNews(_ socket: FileDescriptor, within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, milliseconds) > 0 else { return false }
    var piece = [UInt8](repeating: 0, count: 8192)
    while recv(socket.rawValue, &piece, piece.count, Int32(MSG_DONTWAIT)) > 0 {}
    return true
  }
}
