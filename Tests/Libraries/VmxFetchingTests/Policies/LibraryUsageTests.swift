import Synchronization
import Testing
import VmxFetching
import VmxModel

struct LibraryUsageTests {
  private let clock = StepClock()

  private func usage(holding held: Int64, of quota: Int64) -> LibraryUsage {
    LibraryUsage(
      quota: ByteCount(clamping: quota), moment: { [clock] in clock.now }, count: { held })
  }

  @Test func `a part that fits is let in, one byte more is not`() throws {
    #expect(try usage(holding: 600, of: 1000).refusal(of: "a", missing: 400) == nil)
    let refusal = try usage(holding: 600, of: 1000).refusal(of: "a", missing: 401)
    #expect(refusal?.code == .quotaReached)
    #expect(refusal?.summary == "the library may hold 1.0 KiB, 400 B of it are left")
  }

  @Test func `sizes beyond all measure are too many, however they are summed up`() throws {
    let usage = usage(holding: .max, of: 1000)
    #expect(try usage.refusal(of: "a", missing: .max)?.code == .quotaReached)
    usage.grow("a", by: 1)
    #expect(usage.refusal?.code == .quotaReached)
  }

  @Test func `parts in work keep their room`() throws {
    let usage = usage(holding: 0, of: 1000)
    #expect(try usage.refusal(of: "a", missing: 700) == nil)
    #expect(try usage.refusal(of: "b", missing: 400) != nil)
    usage.grow("a", by: 700)
    usage.end("a")
    #expect(try usage.refusal(of: "b", missing: 400) != nil)
    #expect(try usage.refusal(of: "b", missing: 300) == nil)
  }

  @Test func `a part that is asked for again counts once`() throws {
    let usage = usage(holding: 0, of: 1000)
    #expect(try usage.refusal(of: "a", missing: 700) == nil)
    #expect(try usage.refusal(of: "a", missing: 700) == nil)
  }

  @Test func `one of unknown size is stopped where the room ends`() throws {
    let usage = usage(holding: 500, of: 1000)
    #expect(try usage.refusal(of: "a", missing: nil) == nil)
    usage.grow("a", by: 500)
    #expect(usage.refusal == nil)
    usage.grow("a", by: 1)
    #expect(usage.refusal?.code == .quotaReached)
    #expect(try self.usage(holding: 1000, of: 1000).refusal(of: "a", missing: nil) != nil)
  }

  @Test func `it is counted anew twice a minute at most`() throws {
    let library = Library()
    let usage = LibraryUsage(
      quota: ByteCount(clamping: 1000), moment: { [clock] in clock.now }, count: library.count)
    #expect(try usage.refusal(of: "a", missing: 200) != nil)
    library.held.store(100, ordering: .relaxed)
    clock.pass(29_999)
    #expect(try usage.refusal(of: "a", missing: 200) != nil)
    clock.pass(1)
    #expect(try usage.refusal(of: "a", missing: 200) == nil)
    #expect(library.counts.load(ordering: .relaxed) == 2)
  }

  /// A library of 900 bytes that remembers how often it was counted.
  private final class Library: Sendable {
    let counts = Atomic<Int>(0)
    let held = Atomic<Int64>(900)

    func count() -> Int64 {
      counts.wrappingAdd(1, ordering: .relaxed)
      return held.load(ordering: .relaxed)
    }
  }
}
