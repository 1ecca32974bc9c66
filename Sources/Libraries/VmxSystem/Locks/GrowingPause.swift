/// The pause between two attempts: first 0.1 ms, then growing by half each time, at most 10 ms.
///
/// Each pause is shortened by a random fraction of up to one half, so that waiters that started
/// together do not retry together.
struct GrowingPause {
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
