import Glibc
import SystemPackage

/// Checks whether a route to a host exists, without sending a packet.
package enum NetworkRoute {
  /// Whether the machine has a route to a host, including itself.
  ///
  /// An address is checked against the routing tables. A name, which would need a DNS lookup, has a
  /// route if there is a default route.
  package static func leads(to host: String) -> Bool {
    if host == "localhost" { return true }
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let plain = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(plain, "9", &hints, &found) == 0, let found else { return hasDefault }
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
  private static var hasDefault: Bool {
    isIn("/proc/net/route") { $0.count > 3 && $0[1] == "00000000" && isUp($0[3]) }
      || isIn("/proc/net/ipv6_route") { fields in
        fields.count > 9 && fields[1] == "00" && fields[9] != "lo" && isUp(fields[8])
      }
  }

  /// Whether RTF_UP is set and RTF_REJECT is not.
  private static func isUp(_ flags: Substring) -> Bool {
    UInt32(flags, radix: 16).map { $0 & 1 != 0 && $0 & 0x200 == 0 } ?? false
  }

  private static func isIn(_ path: String, _ isWanted: ([Substring]) -> Bool) -> Bool {
    // A kernel without that version of IP has no such table.
    guard let text = readText(FilePath(path)) else { return false }
    return text.split(separator: "\n").contains { line in
      isWanted(line.split(whereSeparator: \.isWhitespace))
    }
  }
}
