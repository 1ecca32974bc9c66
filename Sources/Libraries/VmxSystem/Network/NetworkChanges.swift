import CLinux
import Glibc
import SystemPackage
import VmxModel

/// A monitor for changes of the machine's links, addresses or routes (rtnetlink(7)).
///
/// If a sandbox refuses the socket, it reports no changes, and every wait lasts until its timeout.
package final class NetworkChanges: Sendable {
  /// The milliseconds without messages after which a change counts as complete.
  private static let debounceInterval: Int32 = 250
  /// The maximum number of messages that count as one change.
  private static let maxMessages = 40

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
    guard Self.hasChanges(socket, within: milliseconds) else { return false }
    var pieces = 1
    while pieces < Self.maxMessages, Self.hasChanges(socket, within: Self.debounceInterval) {
      pieces += 1
    }
    return true
  }

  /// Waits for messages and drains the socket; lost messages (ENOBUFS) count as a change too.
  private static func hasChanges(_ socket: FileDescriptor, within milliseconds: Int32) -> Bool {
    var asked = pollfd(fd: socket.rawValue, events: Int16(POLLIN), revents: 0)
    guard poll(&asked, 1, milliseconds) > 0 else { return false }
    var piece = [UInt8](repeating: 0, count: 8192)
    while recv(socket.rawValue, &piece, piece.count, Int32(MSG_DONTWAIT)) > 0 {}
    return true
  }
}

/// Whether the machine has a route to a host, including itself; no packet is sent.
///
/// An address is checked against the routing tables. A name, which would need a DNS lookup, has a
/// route if there is a default route.
package func hasNetworkRoute(to host: String) -> Bool {
  // A name of this machine needs no default route. Its address needs an interface, like any other.
  if AddressScope(text: host) == nil, AddressScope.isLoopback(host: host) { return true }
  var hints = addrinfo()
  hints.ai_flags = AI_NUMERICHOST
  hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
  var found: UnsafeMutablePointer<addrinfo>?
  let plain = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
  guard getaddrinfo(plain, "9", &hints, &found) == 0, let found else { return hasDefaultRoute }
  defer { freeaddrinfo(found) }
  let socket = socket(
    found.pointee.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  // Without a socket the result is unknown, and the request itself will tell.
  guard socket >= 0 else { return true }
  defer { close(socket) }
  // Connecting a datagram socket sends nothing, but needs a route.
  guard connect(socket, found.pointee.ai_addr, found.pointee.ai_addrlen) != 0 else { return true }
  return ![ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(errno)
}

/// Whether there is a default route, for either version of IP.
private var hasDefaultRoute: Bool {
  hasRoute(in: "/proc/net/route") { $0.count > 3 && $0[1] == "00000000" && isUp($0[3]) }
    || hasRoute(in: "/proc/net/ipv6_route") { fields in
      fields.count > 9 && fields[1] == "00" && fields[9] != "lo" && isUp(fields[8])
    }
}

/// Whether RTF_UP is set and RTF_REJECT is not.
private func isUp(_ flags: Substring) -> Bool {
  UInt32(flags, radix: 16).map { $0 & 1 != 0 && $0 & 0x200 == 0 } ?? false
}

private func hasRoute(in path: String, _ isWanted: ([Substring]) -> Bool) -> Bool {
  // A kernel without that version of IP has no such table.
  guard let text = readText(FilePath(path)) else { return false }
  return text.split(separator: "\n").contains { line in
    isWanted(line.split(whereSeparator: \.isWhitespace))
  }
}
