import Synchronization
import SystemPackage
import Testing
import VmxModel

@testable import VmxFetching

struct FreeSpacePolicyTests {
  /// A disk with this many free bytes.
  private final class Disk: Sendable {
    let free = Atomic<Int64>(1000)
  }

  private let clock = StepClock()
  private let disk = Disk()

  private func policy(reserve: Int64) throws -> FreeSpacePolicy {
    FreeSpacePolicy(
      reserve: ByteCount(clamping: reserve), try testEnvironment(steps: clock),
      free: { [disk] _ in ByteCount(clamping: disk.free.load(ordering: .relaxed)) })
  }

  private func refusal(
    _ policy: FreeSpacePolicy, in phase: TransferPhase = .transfer, unallocated: Int64 = 0
  ) throws -> Failure? {
    var part = try subject()
    part.folder = "/library"
    part.unallocated = unallocated
    return try policy.refusal(of: part, in: phase)
  }

  @Test func `a part starts if the reserve stays free beside it`() throws {
    let policy = try policy(reserve: 400)
    #expect(try refusal(policy, in: .admission, unallocated: 600) == nil)
    let failure = try refusal(policy, in: .admission, unallocated: 601)
    #expect(failure?.code == .diskFull)
    #expect(failure?.summary == "need 1.0 KiB, 1.0 KiB free: '/library'")
    // More blocks may already be allocated than the missing bytes need.
    #expect(try refusal(policy, in: .admission, unallocated: -1) == nil)
  }

  @Test func `room is made once, before a part is refused`() throws {
    var environment = try testEnvironment(steps: clock)
    let asked = Disk()
    asked.free.store(0, ordering: .relaxed)
    environment.makeRoom = { [disk] _, bytes in
      asked.free.store(bytes.bytes, ordering: .relaxed)
      disk.free.store(2000, ordering: .relaxed)
    }
    let policy = FreeSpacePolicy(
      reserve: ByteCount(clamping: 400), environment,
      free: { [disk] _ in ByteCount(clamping: disk.free.load(ordering: .relaxed)) })
    #expect(try refusal(policy, in: .admission, unallocated: 600) == nil)
    #expect(asked.free.load(ordering: .relaxed) == 0)
    var other = try subject()
    (other.folder, other.unallocated) = ("/library", 700)
    policy.handle(.ended, of: try subject())
    #expect(try policy.refusal(of: other, in: .admission) == nil)
    #expect(asked.free.load(ordering: .relaxed) == 1100)
  }

  @Test func `space used by other programs is noticed within a second`() throws {
    let policy = try policy(reserve: 1000)
    #expect(try refusal(policy) == nil)
    disk.free.store(999, ordering: .relaxed)
    clock.pass(999)
    #expect(try refusal(policy) == nil)
    clock.pass(1)
    #expect(try refusal(policy)?.code == .diskFull)
    #expect(try refusal(policy)?.summary.hasSuffix("'/library'") == true)
    disk.free.store(1000, ordering: .relaxed)
    clock.pass(1000)
    #expect(try refusal(policy) == nil)
  }

  @Test func `received bytes are counted until the disk is read again`() throws {
    let policy = try policy(reserve: 400)
    #expect(try refusal(policy) == nil)
    disk.free.store(300, ordering: .relaxed)
    var part = try subject()
    part.folder = "/library"
    policy.handle(.received(600), of: part)
    #expect(try refusal(policy) == nil)
    policy.handle(.received(1), of: part)
    #expect(try refusal(policy)?.code == .diskFull)
  }

  @Test func `the same space is not reserved for two parts`() throws {
    let policy = try policy(reserve: 400)
    var (one, two) = (try subject("t/a"), try subject("t/b"))
    one.folder = "/library"
    two.folder = "/library"
    (one.unallocated, two.unallocated) = (400, 300)
    #expect(try policy.refusal(of: one, in: .announced) == nil)
    #expect(try policy.refusal(of: two, in: .announced)?.code == .diskFull)
    policy.handle(.ended, of: one)
    #expect(try policy.refusal(of: two, in: .announced) == nil)
  }

  @Test func `without a reserve the free space is not checked`() throws {
    disk.free.store(0, ordering: .relaxed)
    #expect(try refusal(policy(reserve: 0)) == nil)
  }
}
