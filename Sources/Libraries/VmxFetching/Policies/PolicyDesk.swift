import Synchronization
package import VmxModel
import VmxSystem

// Policies are asked before the first byte of a part and at least four times a second while bytes
// flow. What they refuse becomes `waiting` with their reason, in the record too, whether the run
// then sits through it or leaves it to a later one; what is held stays as it is. Limits of the run
// itself are no reason to wait: they end the run and leave every state alone.

/// Where transfers ask whether they may.
package final class PolicyDesk: Sendable {
  private let window: TimeWindow
  private let budget: RunBudget
  private let usage: LibraryUsage?
  private let patience: HoldPatience
  private let clock: any WallClock
  private let zone: any LocalZone
  private let moment: @Sendable () -> Int64
  /// When bytes last came, in milliseconds.
  private let lastFlow = Mutex<Int64?>(nil)

  /// A desk for one run.
  ///
  /// - Parameters:
  ///   - heldByLibrary: counts the bytes of all files of the library.
  ///   - moment: milliseconds of a clock that never jumps.
  package init(
    _ settings: PolicySettings, clock: any WallClock, zone: any LocalZone,
    moment: @escaping @Sendable () -> Int64 = { Deadline.now / 1_000_000 },
    heldByLibrary: @escaping @Sendable () throws -> Int64
  ) {
    window = settings.window
    budget = RunBudget(bytes: settings.maxBytes, time: settings.maxTime, moment: moment)
    usage = settings.quota.map {
      LibraryUsage(quota: $0, moment: moment, count: heldByLibrary)
    }
    patience = HoldPatience(longestWait: settings.longestWait, waits: settings.waits)
    self.clock = clock
    self.zone = zone
    self.moment = moment
  }

  /// Whether the run has spent what it may: nothing new is to begin.
  package var isOver: Bool { budget.refusal != nil }

  /// What refuses a part before its first byte; nil if nothing does.
  ///
  /// - Parameter missing: bytes still to come; nil while nobody knows.
  /// - Throws: what counting the library throws.
  package func refusal(of part: PolicySubject, missing: Int64?) throws -> Failure? {
    if let refusal = refusal(of: part) { return refusal }
    return try usage?.refusal(of: part.key, missing: missing)
  }

  /// What refuses a part while its bytes flow; nil if nothing does.
  package func refusal(of part: PolicySubject) -> Failure? {
    if let refusal = budget.refusal { return refusal }
    let now = clock.now
    if let opening = window.opening(after: now, in: zone) {
      return Failure(
        .outsideWindow, "'\(part.episode)' waits for the times of day in network.window",
        retryAt: opening)
    }
    return usage?.refusal
  }

  /// Counts bytes that came for a part.
  package func received(_ bytes: Int64, of part: PolicySubject) {
    guard bytes > 0 else { return }
    let now = moment()
    lastFlow.withLock { $0 = now }
    budget.spend(bytes)
    usage?.grow(part.key, by: bytes)
  }

  /// The bytes of a part flow no longer, for whatever reason.
  package func end(_ part: PolicySubject) {
    usage?.end(part.key)
  }

  /// Whether the run sits through a refusal rather than leave the part to a later one.
  package func sits(through failure: Failure) -> Bool {
    let now = moment()
    let idle = lastFlow.withLock { $0.map { now - $0 } }
    return patience.sits(through: failure, now: clock.now, idle: idle)
  }
}
