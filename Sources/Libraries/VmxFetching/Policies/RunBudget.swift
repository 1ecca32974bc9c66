import Synchronization
import VmxModel

/// The bytes and time that one run may use; used amounts are never returned.
final class RunBudget: TransferPolicy {
  let code = ErrorCode.budgetSpent
  private let bytes: ByteCount?
  private let time: Int64?
  private let monotonicNow: @Sendable () -> Int64
  private let begin: Int64
  private let usedBytes = Atomic<Int64>(0)

  /// Creates a budget whose time begins now.
  ///
  /// - Parameters:
  ///   - bytes: the maximum number of received body bytes; nil for no limit.
  ///   - time: the maximum duration in milliseconds; nil for no limit.
  init(bytes: ByteCount?, time: Int64?, _ environment: FetchEnvironment) {
    self.bytes = bytes
    self.time = time
    monotonicNow = environment.monotonicNow
    begin = monotonicNow()
  }

  /// The refusal of every part once the budget is used up.
  var refusal: Failure? {
    if let bytes, usedBytes.load(ordering: .relaxed) >= bytes.bytes {
      return Failure(code, "this run has received its limit of \(bytes.forPeople)")
    }
    if let time, monotonicNow() - begin >= time {
      return Failure(code, "this run has reached its time limit of \(DurationText.text(of: time))")
    }
    return nil
  }

  /// The milliseconds that are left; nil without a limit.
  var remainingTime: Int64? { time.map { max(0, $0 - (monotonicNow() - begin)) } }

  func refusal(of part: PolicySubject, in phase: TransferPhase) -> Failure? { refusal }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    if case .received(let count) = event { usedBytes.wrappingAdd(count, ordering: .relaxed) }
  }
}
