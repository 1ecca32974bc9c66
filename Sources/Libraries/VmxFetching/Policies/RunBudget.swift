import Synchronization
package import VmxModel
import VmxSystem

/// What one run may spend of bytes and time; it is never given back.
package final class RunBudget: Sendable {
  private let bytes: ByteCount?
  private let time: Int64?
  private let moment: @Sendable () -> Int64
  private let begin: Int64
  private let spent = Atomic<Int64>(0)

  /// A budget whose time begins now.
  ///
  /// - Parameters:
  ///   - bytes: most bytes of bodies that may come; nil for any number.
  ///   - time: milliseconds; nil for any time.
  ///   - moment: milliseconds of a clock that never jumps.
  package init(
    bytes: ByteCount?, time: Int64?,
    moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 }
  ) {
    self.bytes = bytes
    self.time = time
    self.moment = moment
    begin = moment()
  }

  /// Counts bytes that came.
  package func spend(_ count: Int64) {
    spent.wrappingAdd(count, ordering: .relaxed)
  }

  /// `budget-spent` once nothing is left.
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
