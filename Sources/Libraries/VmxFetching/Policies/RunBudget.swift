import Synchronization
package import VmxModel
import VmxSystem

/// The bytes and time that one run may use; used amounts are never returned.
package final class RunBudget: Sendable {
  private let bytes: ByteCount?
  private let time: Int64?
  private let moment: @Sendable () -> Int64
  private let begin: Int64
  private let spent = Atomic<Int64>(0)

  /// Creates a budget whose time begins now.
  ///
  /// - Parameters:
  ///   - bytes: the maximum number of received body bytes; nil for no limit.
  ///   - time: the maximum duration in milliseconds; nil for no limit.
  ///   - moment: returns milliseconds of the monotonic clock.
  package init(
    bytes: ByteCount?, time: Int64?,
    moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 }
  ) {
    self.bytes = bytes
    self.time = time
    self.moment = moment
    begin = moment()
  }

  /// Counts received bytes.
  package func spend(_ count: Int64) {
    spent.wrappingAdd(count, ordering: .relaxed)
  }

  /// `budget-spent` once the budget is used up.
  package var refusal: Failure? {
    if let bytes, spent.load(ordering: .relaxed) >= bytes.bytes {
      return Failure(.budgetSpent, "this run has received \(bytes.forPeople), all that it may")
    }
    if let time, moment() - begin >= time {
      return Failure(
        .budgetSpent, "this run has taken \(DurationText.text(of: time)), all that it may")
    }
    return nil
  }
}
