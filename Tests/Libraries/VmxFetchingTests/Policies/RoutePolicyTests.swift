import Synchronization
import Testing
import VmxModel

@testable import VmxFetching

struct RoutePolicyTests {
  /// A machine whose routes a test can remove.
  private final class Routes: Sendable {
    private let gone = Mutex<Set<String>>([])

    func lose(_ host: String) { gone.withLock { _ = $0.insert(host) } }
    func regain(_ host: String) { gone.withLock { _ = $0.remove(host) } }
    func leads(_ host: String) -> Bool { gone.withLock { !$0.contains(host) } }
  }

  private let clock = StepClock()
  private let routes = Routes()

  private func policy() throws -> RoutePolicy {
    RoutePolicy(try testEnvironment(steps: clock)) { [routes] in routes.leads($0) }
  }

  @Test func `an address without a route is offline until there is one`() throws {
    let (policy, part) = (try policy(), try subject())
    clock.pass(5000)
    #expect(policy.refusal(of: part, in: .transfer) == nil)
    routes.lose("192.0.2.1")
    clock.pass(999)
    #expect(policy.refusal(of: part, in: .transfer) == nil)
    clock.pass(1)
    #expect(policy.refusal(of: part, in: .transfer)?.code == .offline)
    routes.regain("192.0.2.1")
    clock.pass(1000)
    #expect(policy.refusal(of: part, in: .transfer) == nil)
  }

  @Test func `a host name is checked only after a failure`() throws {
    let (policy, part) = (try policy(), try subject(host: "example.org"))
    routes.lose("example.org")
    clock.pass(5000)
    #expect(policy.refusal(of: part, in: .transfer) == nil)
    policy.handle(.connectionLost, of: part)
    #expect(policy.refusal(of: part, in: .transfer)?.code == .offline)
    routes.regain("example.org")
    clock.pass(5000)
    #expect(policy.refusal(of: part, in: .transfer) == nil)
    policy.handle(.connectionLost, of: part)
    #expect(policy.refusal(of: part, in: .transfer) == nil)
  }

  @Test func `repeated losses without progress are checked at growing intervals`() throws {
    let (policy, part) = (try policy(), try subject())
    let delays = (0..<7).map { _ in policy.delay(afterRefusalOf: part) }
    #expect(delays == [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    policy.handle(.received(1), of: part)
    #expect(policy.delay(afterRefusalOf: part) == 1000)
  }

  @Test(arguments: [
    ("127.0.0.1", true, true), ("127.9.9.9", true, true), ("localhost", true, false),
    ("[::1]", true, true), ("127.example.org", false, false), ("10.0.0.1", false, true),
    ("[2001:db8::1]", false, true), ("127.0.0.1.example.org", false, false),
  ])
  func `loopback is distinguished from other hosts`(
    host: String, isLoopback: Bool, hasAddress: Bool
  ) throws {
    let part = try subject(host: host)
    #expect(part.isLoopback == isLoopback)
    #expect(part.hasAddress == hasAddress)
  }
}
