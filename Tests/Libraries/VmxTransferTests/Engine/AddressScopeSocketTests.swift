import Glibc
import Testing
import VmxModel

@testable import VmxTransfer

struct AddressScopeSocketTests {
  @Test func `a socket address is classified by its family`() {
    var v4 = sockaddr_in()
    v4.sin_family = sa_family_t(AF_INET)
    v4.sin_addr.s_addr = UInt32(0x0808_0808).bigEndian
    var v6 = sockaddr_in6()
    v6.sin6_family = sa_family_t(AF_INET6)
    v6.sin6_addr.__in6_u.__u6_addr8.15 = 1
    var other = sockaddr()
    other.sa_family = sa_family_t(AF_UNIX)
    func reach<Address>(of address: inout Address) -> AddressScope {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { AddressScope($0) }
      }
    }
    #expect(reach(of: &v4) == .open)
    #expect(reach(of: &v6) == .inner)
    #expect(reach(of: &other) == .inner)
  }
}
