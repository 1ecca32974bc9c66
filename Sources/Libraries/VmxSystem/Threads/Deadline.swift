import Glibc

/// A moment on the clock that nobody sets (CLOCK_MONOTONIC), up to which something may take.
package struct Deadline: Sendable, Equatable {
  /// Nanoseconds on the monotonic clock.
  package let nanoseconds: Int64

  /// So many milliseconds from now; negative counts as 0, too far away as never.
  package init(milliseconds: Int64) {
    let (span, overflow) = max(0, milliseconds).multipliedReportingOverflow(by: 1_000_000)
    let (end, beyond) = Self.now.addingReportingOverflow(span)
    nanoseconds = overflow || beyond ? .max : end
  }

  /// Nanoseconds on the monotonic clock now.
  package static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Whether it has come.
  package var isPast: Bool { Self.now >= nanoseconds }

  /// Nanoseconds that are left, 0 when it has come.
  package var remaining: Int64 { max(0, nanoseconds - Self.now) }

  /// Sleeps for so long, but not beyond the deadline; a signal may end it early.
  package func sleep(nanoseconds span: Int64) {
    let length = min(max(0, span), remaining)
    var time = timespec(
      tv_sec: time_t(length / 1_000_000_000), tv_nsec: Int(length % 1_000_000_000))
    nanosleep(&time, nil)
  }
}
