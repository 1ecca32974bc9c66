import Glibc

/// A deadline on the clock that is never set (CLOCK_MONOTONIC).
package struct Deadline: Sendable, Equatable {
  /// The time in nanoseconds on the monotonic clock.
  package let nanoseconds: Int64

  /// Creates a deadline that many milliseconds from now; a negative number counts as 0, an overflow
  /// as never.
  package init(milliseconds: Int64) {
    let (span, overflow) = max(0, milliseconds).multipliedReportingOverflow(by: 1_000_000)
    let (end, beyond) = Self.now.addingReportingOverflow(span)
    nanoseconds = overflow || beyond ? .max : end
  }

  /// The current time in nanoseconds on the monotonic clock.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Whether the deadline has passed.
  package var isPast: Bool { Self.now >= nanoseconds }

  /// The remaining nanoseconds; 0 once it has passed.
  package var remaining: Int64 { max(0, nanoseconds - Self.now) }

  /// Sleeps for the given time, but not beyond the deadline; a signal may end it early.
  package func sleep(nanoseconds span: Int64) {
    let length = min(max(0, span), remaining)
    var time = timespec(
      tv_sec: time_t(length / 1_000_000_000), tv_nsec: Int(length % 1_000_000_000))
    nanosleep(&time, nil)
  }
}
