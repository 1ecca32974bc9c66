import Glibc

/// The classification of an address as public or inner.
///
/// Inner addresses are loopback, private, link-local and shared ones (RFC 1918, 6598, 4193, 3927,
/// 4291). So are all others that do not belong to a single public host (IANA's registries of
/// special-purpose addresses, RFC 6890).
///
/// An IPv6 address that contains an IPv4 address (mapped, NAT64, 6to4, Teredo) is classified by the
/// latter.
package enum AddressScope: Equatable {
  /// The address of a single public host.
  case open
  /// Any other address.
  case inner

  /// Classifies an address of 4 or 16 bytes in network order; any other length is `inner`.
  package init(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    switch bytes.count {
    case 4: self = Self.innerV4.contains { $0.contains(bytes) } ? .inner : .open
    case 16: self = Self.scope(ofV6: bytes)
    default: self = .inner
    }
  }

  /// Classifies an address in text form, IPv6 with or without brackets and zone; nil for a name.
  package init?(text: String) {
    var text = Substring(text)
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    text = text.prefix { $0 != "%" }
    var v4 = in_addr()
    var v6 = in6_addr()
    if inet_pton(AF_INET, String(text), &v4) == 1 {
      self.init(withUnsafeBytes(of: v4) { Array($0) })
    } else if inet_pton(AF_INET6, String(text), &v6) == 1 {
      self.init(withUnsafeBytes(of: v6) { Array($0) })
    } else {
      return nil
    }
  }

  /// Whether a host of a URL is this machine: `localhost` or a name in it (RFC 6761, section 6.3),
  /// or a loopback address (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3). An IPv6 address
  /// may have brackets.
  package static func isLoopback(host: String) -> Bool {
    let name = host.hasSuffix(".") ? host.dropLast() : Substring(host)
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    if name == "[::1]" || name == "::1" { return true }
    return name.hasPrefix("127.") && AddressScope(text: String(name)) == .inner
  }

  /// Whether a host of a URL as written is loopback or private; false for the names of other hosts.
  package static func isInner(host: String) -> Bool {
    if isLoopback(host: host) { return true }
    return AddressScope(text: host.hasSuffix(".") ? String(host.dropLast()) : host) == .inner
  }

  /// The addresses with a common prefix.
  private struct Block {
    let start: [UInt8]
    let bits: Int

    init(_ bits: Int, _ start: UInt8...) {
      self.start = start
      self.bits = bits
    }

    func contains(_ address: [UInt8]) -> Bool {
      for index in 0..<(bits + 7) / 8 {
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(8, bits - 8 * index))
        let wanted = index < start.count ? start[index] : 0
        if (address[index] ^ wanted) & mask != 0 { return false }
      }
      return true
    }
  }

  private static let innerV4 = [
    Block(8, 0), Block(8, 10), Block(10, 100, 64), Block(8, 127), Block(16, 169, 254),
    Block(12, 172, 16), Block(24, 192, 0, 0), Block(24, 192, 0, 2), Block(24, 192, 88, 99),
    Block(16, 192, 168), Block(15, 198, 18), Block(24, 198, 51, 100), Block(24, 203, 0, 113),
    Block(4, 224), Block(4, 240),
  ]
  /// The IPv6 prefixes with an IPv4 address in the last four bytes: mapped, NAT64.
  private static let ipv4Embedding = [
    Block(96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF), Block(96, 0, 0x64, 0xFF, 0x9B),
  ]
  private static let sixToFour = Block(16, 0x20, 0x02)
  private static let teredo = Block(32, 0x20, 0x01, 0, 0)
  /// The allocated global unicast addresses (RFC 4291, section 2.4).
  private static let global = Block(3, 0x20)
  private static let innerV6 = [
    Block(32, 0x20, 0x01, 0x0D, 0xB8), Block(20, 0x3F, 0xFF, 0), Block(28, 0x20, 0x01, 0, 0x10),
    Block(48, 0x20, 0x01, 0, 2, 0, 0),
  ]

  private static func scope(ofV6 bytes: [UInt8]) -> AddressScope {
    if ipv4Embedding.contains(where: { $0.contains(bytes) }) { return AddressScope(bytes[12...]) }
    if sixToFour.contains(bytes) { return AddressScope(bytes[2..<6]) }
    if teredo.contains(bytes) { return AddressScope(bytes[12...].map { ~$0 }) }
    return global.contains(bytes) && !innerV6.contains { $0.contains(bytes) } ? .open : .inner
  }
}
