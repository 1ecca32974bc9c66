import Glibc
import VmxModel

extension AddressScope {
  /// Classifies an address for connect(2); any family but IPv4 and IPv6 is `inner`.
  init(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self.init(withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
    case AF_INET6:
      self.init(
        withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
    default: self = .inner
    }
  }
}
