import Synchronization
import SystemPackage
import Testing
import VmxModel

@testable import VmxFetching

struct FreeSpaceMonitorTests {
  /// A disk on which a test leaves so many bytes.
  private final class Disk: Sendable {
    let free = Atomic<Int64>(1000)
  }

  private let clock = StepClock()
  private let disk = Disk()

  private func watch(reserve: Int64) -> FreeSpaceMonitor {
    FreeSpaceMonitor(
      "/library", reserve: ByteCount(clamping: reserve), moment: { [clock] in clock.now },
      free: { [disk] _ in ByteCount(clamping: disk.free.load(ordering: .relaxed)) })
  }

  @Test func `others may fill the disk meanwhile, which is seen within a second`() {
    let watch = watch(reserve: 1000)
    #expect(watch.refusal == nil)
    disk.free.store(999, ordering: .relaxed)
    clock.pass(999)
    #expect(watch.refusal == nil)
    clock.pass(1)
    #expect(watch.refusal?.code == .diskFull)
    #expect(watch.refusal?.summary.hasSuffix("'/library'") == true)
    disk.free.store(1000, ordering: .relaxed)
    clock.pass(1000)
    #expect(watch.refusal == nil)
  }

  @Test func `without a reserve free space is not checked`() {
    disk.free.store(0, ordering: .relaxed)
    #expect(watch(reserve: 0).refusal == nil)
  }
}
