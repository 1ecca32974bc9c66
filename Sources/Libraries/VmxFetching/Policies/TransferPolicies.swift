import Synchronization
import VmxModel
import VmxSystem

// Policies are checked before the first byte of a part and at least four times a second during its
// transfer. A refused part becomes `waiting`, and its record has the reason, whether the run waits
// or leaves the part to a later run. A part on hold stays as it is. Limits of the run itself are
// not a reason to wait: they end the run and leave every state unchanged.

/// Decides whether a part may be transferred.
final class TransferPolicies: Sendable {
  private let window: TimeWindow
  private let budget: RunBudget
  private let usage: LibraryUsage?
  private let network: NetworkPolicy
  private let patience: WaitPolicy
  private let clock: any WallClock
  private let zone: any LocalZone
  private let moment: @Sendable () -> Int64
  /// The time of the last received bytes, in milliseconds.
  private let lastFlow = Mutex<Int64?>(nil)

  /// Creates the policies of one run.
  ///
  /// - Parameters:
  ///   - network: the restrictions of the network.
  ///   - heldByLibrary: counts the bytes of all files of the library.
  ///   - moment: returns milliseconds of the monotonic clock.
  init(
    _ settings: PolicySettings, network: NetworkPolicy, clock: any WallClock,
    zone: any LocalZone,
    moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 },
    heldByLibrary: @escaping @Sendable () throws -> Int64
  ) {
    window = settings.window
    budget = RunBudget(bytes: settings.maxBytes, time: settings.maxTime, moment: moment)
    usage = settings.quota.map {
      LibraryUsage(quota: $0, moment: moment, count: heldByLibrary)
    }
    self.network = network
    patience = WaitPolicy(longestWait: settings.longestWait, waits: settings.waits)
    self.clock = clock
    self.zone = zone
    self.moment = moment
  }

  /// Whether the run has used up its budget, so that no new part begins.
  var isOver: Bool { budget.refusal != nil }

  /// The refusal of a part before its first byte; nil if it may begin.
  ///
  /// - Parameters:
  ///   - missing: the number of bytes still to receive; nil if unknown.
  ///   - shouldStop: called while the state of the network is being queried.
  /// - Throws: errors of the library count and of the store.
  func refusal(
    of part: PolicySubject, missing: Int64?, shouldStop: () -> Bool
  ) throws -> Failure? {
    try network.begin(part, shouldStop: shouldStop)
    if let refusal = try current(part) { return refusal }
    return try usage?.refusal(of: part.key, missing: missing)
  }

  /// The refusal of a part during its transfer; nil if it may continue.
  func refusal(of part: PolicySubject) -> Failure? {
    do {
      return try current(part) ?? usage?.refusal
    } catch {
      // If the store cannot be read, the work soon ends with the store's own error.
      return nil
    }
  }

  private func current(_ part: PolicySubject) throws -> Failure? {
    if let refusal = budget.refusal { return refusal }
    let now = clock.now
    if let opening = window.opening(after: now, in: zone) {
      return Failure(
        .outsideWindow, "'\(part.episode)' waits for the times of day in network.window",
        retryAt: opening)
    }
    return try network.refusal(of: part, now: now)
  }

  /// Counts the bytes received for a part.
  func received(_ bytes: Int64, of part: PolicySubject) {
    guard bytes > 0 else { return }
    let now = moment()
    lastFlow.withLock { $0 = now }
    budget.spend(bytes)
    usage?.grow(part.key, by: bytes)
    network.received(bytes, of: part, now: clock.now)
  }

  /// Records that the transfer of a part has ended, for whatever reason.
  func end(_ part: PolicySubject) {
    usage?.end(part.key)
  }

  /// Records a failed attempt that a lost network may have caused.
  func failed(_ part: PolicySubject) {
    network.failed(part)
  }

  /// The minimum wait, in milliseconds, before a part that is `offline` is checked again.
  func pause(afterLossOf part: PolicySubject) -> Int64 {
    network.pause(afterLossOf: part)
  }

  /// Records the counted bytes.
  ///
  /// - Throws: errors of the store.
  func close() throws {
    try network.end()
  }

  /// Whether the run waits until a refusal has passed instead of leaving the part to a later run.
  ///
  /// - Parameter hasBegun: whether the part was admitted before. Other running transfers do not
  ///   justify a wait for a part that never began: the refusal may not apply to them. A lost
  ///   network affects all parts.
  func waits(for failure: Failure, hasBegun: Bool) -> Bool {
    let now = moment()
    let isHeld = hasBegun || failure.code == .offline
    let idle = isHeld ? lastFlow.withLock { $0.map { now - $0 } } : nil
    return patience.waits(for: failure, now: clock.now, idle: idle)
  }
}
