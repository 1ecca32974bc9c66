import Glibc
import SystemPackage

/// Whether a route leads to a host, as far as can be told without sending anything.
package enum NetworkRoute {
  /// Whether packets for a host would leave this machine, or reach it where it is this one.
  ///
  /// An address is asked for in the routing tables; a name, which would have to be looked up, has
  /// a route if there is a default one.
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
    // Without a socket nothing is known, and the request itself will tell.
    guard socket >= 0 else { return true }
    defer { close(socket) }
    // To connect a datagram socket sends nothing, but needs a route.
    guard connect(socket, found.pointee.ai_addr, found.pointee.ai_addrlen) != 0 else { return true }
    return ![ENETUNREACH, ENETDOWN, EADDRNOTAVAIL].contains(errno)
  }

  /// Whether there is a route to everywhere, for either version of IP.
  private static var hasDefault: Bool {
    isIn("/proc/net/route") { $0.count > 3 && $0[1] == "00000000" && isUp($0[3]) }
      || isIn("/proc/net/ipv6_route") { fields in
        fields.count > 9 && fields[1] == "00" && fields[9] != "lo" && isUp(fields[8])
      }
  }

  /// RTF_UP without RTF_REJECT.
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
