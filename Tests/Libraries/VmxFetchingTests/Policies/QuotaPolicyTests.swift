import Synchronization
import Testing
import VmxModel

@testable import VmxFetching

struct QuotaPolicyTests {
  private let clock = StepClock()

  private func policy(holding held: Int64, of quota: Int64) throws -> QuotaPolicy {
    QuotaPolicy(
      ByteCount(clamping: quota), try testEnvironment(steps: clock), count: { held })
  }

  /// Returns the result for a part before its first byte.
  private func admission(
    _ policy: QuotaPolicy, _ id: String = "t/a", missing: Int64?
  ) throws -> Failure? {
    try policy.refusal(of: subject(id, missing: missing), in: .admission)
  }

  @Test func `a part that fits is admitted, one byte more is refused`() throws {
    #expect(try admission(policy(holding: 600, of: 1000), missing: 400) == nil)
    let refusal = try admission(policy(holding: 600, of: 1000), missing: 401)
    #expect(refusal?.code == .quotaReached)
    #expect(refusal?.summary == "400 B left of the library's quota of 1.0 KiB")
  }

  // Regression: 6.3 MB were received under a quota of 1 MiB, because only received bytes were
  // counted.
  @Test func `an announced size is checked against the quota before its bytes are kept`() throws {
    let policy = try policy(holding: 600, of: 1000)
    #expect(try admission(policy, missing: nil) == nil)
    let refusal = try policy.refusal(of: subject(missing: 401), in: .announced)
    #expect(refusal?.code == .quotaReached)
    #expect(try policy.refusal(of: subject(missing: 400), in: .announced) == nil)
    #expect(try admission(policy, "t/b", missing: nil) != nil)
  }

  @Test func `excessive sizes exceed the quota, however they are summed`() throws {
    let policy = try policy(holding: .max, of: 1000)
    #expect(try admission(policy, missing: .max)?.code == .quotaReached)
    policy.handle(.received(1), of: try subject())
    #expect(try policy.refusal(of: subject(), in: .transfer)?.code == .quotaReached)
  }

  @Test func `parts in work keep their reservation until they end`() throws {
    let policy = try policy(holding: 0, of: 1000)
    #expect(try admission(policy, "t/a", missing: 700) == nil)
    #expect(try admission(policy, "t/b", missing: 400) != nil)
    policy.handle(.received(700), of: try subject("t/a"))
    policy.handle(.ended, of: try subject("t/a"))
    #expect(try admission(policy, "t/b", missing: 400) != nil)
    #expect(try admission(policy, "t/b", missing: 300) == nil)
  }

  @Test func `a part that ends before its first byte releases its reservation`() throws {
    let policy = try policy(holding: 0, of: 1000)
    #expect(try admission(policy, "t/a", missing: 700) == nil)
    policy.handle(.ended, of: try subject("t/a"))
    #expect(try admission(policy, "t/b", missing: 1000) == nil)
  }

  @Test func `a part that is requested again counts once`() throws {
    let policy = try policy(holding: 0, of: 1000)
    #expect(try admission(policy, missing: 700) == nil)
    #expect(try admission(policy, missing: 700) == nil)
  }

  @Test func `a part of unknown size is stopped at the quota`() throws {
    let policy = try policy(holding: 500, of: 1000)
    #expect(try admission(policy, missing: nil) == nil)
    policy.handle(.received(500), of: try subject())
    #expect(try policy.refusal(of: subject(), in: .transfer) == nil)
    policy.handle(.received(1), of: try subject())
    #expect(try policy.refusal(of: subject(), in: .transfer)?.code == .quotaReached)
    #expect(try admission(self.policy(holding: 1000, of: 1000), missing: nil) != nil)
  }

  @Test func `usage is recomputed at most twice a minute`() throws {
    let library = Library()
    let policy = QuotaPolicy(
      ByteCount(clamping: 1000), try testEnvironment(steps: clock), count: library.count)
    #expect(try admission(policy, missing: 200) != nil)
    library.held.store(100, ordering: .relaxed)
    clock.pass(29_999)
    #expect(try admission(policy, missing: 200) != nil)
    clock.pass(1)
    #expect(try admission(policy, missing: 200) == nil)
    #expect(library.counts.load(ordering: .relaxed) == 2)
  }

  /// A library of 900 bytes that records how often it was counted.
  private final class Library: Sendable {
    let counts = Atomic<Int>(0)
    let held = Atomic<Int64>(900)

    func count() -> Int64 {
      counts.wrappingAdd(1, ordering: .relaxed)
      return held.load(ordering: .relaxed)
    }
  }
}
