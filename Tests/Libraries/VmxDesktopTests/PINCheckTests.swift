import Synchronization
import Testing
import VmxModel
import VmxStore
import VmxSystem
import VmxTestSupport

@testable import VmxDesktop

struct PINCheckTests {
  private let folder: ScratchFolder
  private let clock = FixedClock()
  private let uptime = Uptime()

  private struct Crash: Error {}

  /// The clocks of a machine, both controlled by the test.
  private final class Uptime: Sendable {
    let reading = Mutex(
      ClockReading(wall: Timestamp(seconds: 1_790_000_000), boot: "a", sinceBoot: 1000))

    func pass(_ milliseconds: Int64) {
      reading.withLock {
        $0.wall = $0.wall.adding(milliseconds: milliseconds)
        $0.sinceBoot += milliseconds
      }
    }
  }

  init() throws { folder = try ScratchFolder() }

  private func check() throws -> PINCheck {
    let store = try LibraryStore.open(LibraryHome(folder.path("home")), clock: clock)
    return PINCheck(store, clock: clock, now: { [uptime] in uptime.reading.withLock { $0 } })
  }

  private func refuse() throws -> ErrorCode? {
    code { _ = try check().attempt { .refused } }
  }

  @Test func `three wrong PINs are free, and then each one increases the delay`() throws {
    for _ in 1...3 { #expect(try refuse() == .pinWrong) }
    for wait in PINAttempts.waits + [3_600_000] {
      #expect(try check().status().wait == wait)
      uptime.pass(wait - 1)
      #expect(try refuse() == .pinDelayed)
      uptime.pass(1)
      #expect(try refuse() == .pinWrong)
    }
  }

  @Test func `an attempt during the delay checks nothing and does not prolong it`() throws {
    for _ in 1...3 { _ = try refuse() }
    var isChecked = false
    #expect(
      code {
        _ = try check().attempt {
          isChecked = true
          return .verified
        }
      } == .pinDelayed)
    #expect(!isChecked)
    #expect(try check().status().failures == 3)
  }

  @Test func `the right PIN clears the wrong ones`() throws {
    for _ in 1...2 { _ = try refuse() }
    #expect(try check().attempt { .verified } == .verified)
    #expect(try check().status() == (0, 0))
  }

  @Test func `a check that failed to run is not an attempt`() throws {
    _ = try refuse()
    #expect(try check().attempt { .unavailable } == .unavailable)
    #expect(try check().status().failures == 1)
  }

  @Test func `the failure is durable before the check begins`() throws {
    _ = try? check().attempt {
      #expect(try check().status().failures == 1)
      throw Crash()
    }
    #expect(try check().status().failures == 1)
  }

  @Test func `concurrent attempts get no more checks than sequential ones`() throws {
    let checked = Mutex(0)
    let refused = Mutex(0)
    let threads = try (0..<16).map { number in
      try WorkerThread.start("attempt \(number)") {
        for _ in 0..<6 {
          let code = code {
            _ = try self.check().attempt {
              checked.withLock { $0 += 1 }
              return .refused
            }
          }
          if code == .pinDelayed { refused.withLock { $0 += 1 } }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(checked.withLock { $0 } == PINAttempts.free)
    #expect(refused.withLock { $0 } == 16 * 6 - PINAttempts.free)
  }

  @Test func `a clock set forward does not shorten a delay within a boot`() throws {
    for _ in 1...3 { _ = try refuse() }
    uptime.reading.withLock { $0.wall = $0.wall.adding(milliseconds: 86_400_000 * 30) }
    #expect(try refuse() == .pinDelayed)
  }

  @Test func `after a boot the wall clock counts, a clock set back restarts the delay`() throws {
    for _ in 1...3 { _ = try refuse() }
    uptime.reading.withLock {
      $0.boot = "b"
      $0.wall = $0.wall.adding(milliseconds: -5000)
      $0.sinceBoot = 10
    }
    #expect(try refuse() == .pinDelayed)
    uptime.pass(29_999)
    #expect(try refuse() == .pinDelayed)
    uptime.pass(1)
    #expect(try refuse() == .pinWrong)
  }

  @Test func `wrong PINs expire after a day`() throws {
    for _ in 1...3 { _ = try refuse() }
    uptime.pass(PINAttempts.memory)
    #expect(try check().status() == (0, 0))
    for _ in 1...3 { #expect(try refuse() == .pinWrong) }
  }

  @Test func `an edited file of attempts gives no free ones`() throws {
    _ = try refuse()
    try folder.write("home/pin-attempts.json", "{")
    #expect(try refuse() == .pinDelayed)
  }
}
