import Synchronization

/// A clock in milliseconds that a test advances.
final class StepClock: Sendable {
  private let time = Atomic<Int64>(0)

  var now: Int64 { time.load(ordering: .relaxed) }

  func pass(_ milliseconds: Int64) {
    time.wrappingAdd(milliseconds, ordering: .relaxed)
  }
}
