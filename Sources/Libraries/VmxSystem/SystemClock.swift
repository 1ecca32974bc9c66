import Glibc
package import VmxModel

/// The clock of the machine.
package struct SystemClock: WallClock {
  /// The machine's clock; there is only one.
  package init() {}

  package var now: Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
