import Glibc
package import VmxModel

/// The system's wall clock.
package struct SystemClock: WallClock {
  /// Creates an instance; all instances read the same clock.
  package init() {}

  package var now: Timestamp {
    Timestamp(milliseconds: nanoseconds(of: CLOCK_REALTIME) / 1_000_000)
  }
}

/// Returns the time of a clock in nanoseconds; the only place that asks the system for the time.
private func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension ClockReading {
  /// Returns the present moment.
  ///
  /// - Parameter clock: the wall clock.
  package static func now(_ clock: any WallClock) -> ClockReading {
    ClockReading(
      wall: clock.now, boot: bootID(), sinceBoot: nanoseconds(of: CLOCK_BOOTTIME) / 1_000_000)
  }
}

/// A deadline on the clock that is never set (CLOCK_MONOTONIC).
package struct Deadline: Sendable, Equatable {
  /// The time in nanoseconds on the monotonic clock.
  package let nanoseconds: Int64

  /// Creates a deadline that many milliseconds from now; a negative number counts as 0, an overflow
  /// as never.
  package init(milliseconds: Int64) {
    nanoseconds = Self.now.addingClamped(max(0, milliseconds).multipliedClamped(by: 1_000_000))
  }

  /// The current time in nanoseconds on the monotonic clock.
  package static var now: Int64 { VmxSystem.nanoseconds(of: CLOCK_MONOTONIC) }

  /// The current time in milliseconds on the monotonic clock.
  package static var nowMilliseconds: Int64 { now / 1_000_000 }

  /// Whether the deadline has passed.
  package var isPast: Bool { Self.now >= nanoseconds }

  /// The remaining nanoseconds; 0 once it has passed.
  package var remaining: Int64 { max(0, nanoseconds - Self.now) }

  /// The remaining milliseconds, rounded up, as the timeout of `poll`.
  package var pollTimeout: Int32 { Int32(clamping: remaining.addingClamped(999_999) / 1_000_000) }

  /// Sleeps until the deadline, at most for the given time; a signal may end it early.
  package func sleep(nanoseconds span: Int64 = .max) {
    var time = Self.time(of: min(max(0, span), remaining))
    nanosleep(&time, nil)
  }

  /// The deadline as an absolute time for a wait on the monotonic clock.
  var time: timespec { Self.time(of: nanoseconds) }

  private static func time(of nanoseconds: Int64) -> timespec {
    timespec(
      tv_sec: time_t(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}

/// The pause between two attempts: first 0.1 ms, then growing by half each time, at most 10 ms.
///
/// Each pause is shortened by a random fraction of up to one half, so that waiters that started
/// together do not retry together.
struct RetryPause {
  private var nanoseconds: Int64 = 100_000

  /// Returns the duration of the next pause in nanoseconds.
  mutating func next(jitter: Double = .random(in: 0.5...1)) -> Int64 {
    let length = Int64(Double(nanoseconds) * jitter)
    nanoseconds = min(nanoseconds * 3 / 2, 10_000_000)
    return length
  }

  /// Sleeps, but not beyond the deadline; a signal may end it early.
  mutating func sleep(until deadline: Deadline) {
    deadline.sleep(nanoseconds: next())
  }
}
