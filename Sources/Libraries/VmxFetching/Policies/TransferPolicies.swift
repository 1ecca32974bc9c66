import Synchronization
import VmxModel
import VmxSystem

// Policies are asked before the first byte of a part and at least four times a second while bytes
// flow. What they refuse becomes `waiting` with their reason, in the record too, whether the run
// then sits through it or leaves it to a later one; what is held stays as it is. Limits of the run
// itself are no reason to wait: they end the run and leave every state alone.

/// Where transfers ask whether they may.
final class TransferPolicies: Sendable {
  private let window: TimeWindow
  private let budget: RunBudget
  private let usage: LibraryUsage?
  private let network: NetworkPolicy
  private let patience: WaitPolicy
  private let clock: any WallClock
  private let zone: any LocalZone
  private let moment: @Sendable () -> Int64
  /// When bytes last came, in milliseconds.
  private let lastFlow = Mutex<Int64?>(nil)

  /// A desk for one run.
  ///
  /// - Parameters:
  ///   - network: what the network allows.
  ///   - heldByLibrary: counts the bytes of all files of the library.
  ///   - moment: milliseconds of a clock that never jumps.
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

  /// Whether the run has spent what it may: nothing new is to begin.
  var isOver: Bool { budget.refusal != nil }

  /// What refuses a part before its first byte; nil if nothing does.
  ///
  /// - Parameters:
  ///   - missing: bytes still to come; nil while nobody knows.
  ///   - shouldStop: asked while the network is still being asked about.
  /// - Throws: what counting the library throws, and what the store throws.
  func refusal(
    of part: PolicySubject, missing: Int64?, shouldStop: () -> Bool
  ) throws -> Failure? {
    try network.begin(part, shouldStop: shouldStop)
    if let refusal = try current(part) { return refusal }
    return try usage?.refusal(of: part.key, missing: missing)
  }

  /// What refuses a part while its bytes flow; nil if nothing does.
  func refusal(of part: PolicySubject) -> Failure? {
    do {
      return try current(part) ?? usage?.refusal
    } catch {
      // A store that cannot be read ends the work soon enough, with its own code.
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

  /// Counts bytes that came for a part.
  func received(_ bytes: Int64, of part: PolicySubject) {
    guard bytes > 0 else { return }
    let now = moment()
    lastFlow.withLock { $0 = now }
    budget.spend(bytes)
    usage?.grow(part.key, by: bytes)
    network.received(bytes, of: part, now: clock.now)
  }

  /// The bytes of a part flow no longer, for whatever reason.
  func end(_ part: PolicySubject) {
    usage?.end(part.key)
  }

  /// An attempt for a part failed in a way in which one without a network fails.
  func failed(_ part: PolicySubject) {
    network.failed(part)
  }

  /// Milliseconds to wait at least before a part that is `offline` is looked at again.
  func pause(afterLossOf part: PolicySubject) -> Int64 {
    network.pause(afterLossOf: part)
  }

  /// Writes down what was counted.
  ///
  /// - Throws: what the store throws.
  func close() throws {
    try network.end()
  }

  /// Whether the run sits through a refusal rather than leave the part to a later one.
  ///
  /// - Parameter hasBegun: whether the part was let in before. That others flow is no reason to sit
  ///   for one that never was: they may be allowed what it is not. A network that is lost was there
  ///   for all.
  func waits(for failure: Failure, hasBegun: Bool) -> Bool {
    let now = moment()
    let isHeld = hasBegun || failure.code == .offline
    let idle = isHeld ? lastFlow.withLock { $0.map { now - $0 } } : nil
    return patience.waits(for: failure, now: clock.now, idle: idle)
  }
}
