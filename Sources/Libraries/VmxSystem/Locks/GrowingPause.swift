/// Sleeps between two tries: at first 0.1 ms, each time half as long again, 10 ms at most.
///
/// Each sleep is shortened by a random part of up to a half, so that those who began to wait
/// together do not keep trying together.
struct GrowingPause {
  private var nanoseconds: Int64 = 100_000

  /// How long to sleep now, in nanoseconds.
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
