import Testing
import VmxSystem

struct NetworkRouteTests {
  @Test(arguments: ["localhost", "127.0.0.1"])
  func `a route to this machine exists`(host: String) {
    #expect(hasNetworkRoute(to: host))
  }
}
