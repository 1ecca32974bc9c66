import Synchronization
import VmxModel
import VmxStore

/// Limits the bytes received over one network in a month; counts them even without a limit.
///
/// All processes add to the same count in the store. Each process adds new bytes to the record
/// after 16 MiB or 2 s, and at its end. A crash in between loses their count.
final class CapPolicy: TransferPolicy {
  private static let minBytesBetween: Int64 = 16 << 20
  private static let minInterval: Int64 = 2000
  /// The number of months kept in a record.
  private static let monthsKept = 12

  /// A network and a month such as `2026-11`.
  private struct Account: Sendable, Hashable {
    let network: String
    let month: String
  }

  let code = ErrorCode.capReached
  private let cap: ByteCount?
  private let network: NetworkMonitor
  private let store: LibraryStore
  private let environment: FetchEnvironment
  private struct State {
    /// The received bytes that are not recorded yet.
    var unrecorded: [Account: Int64] = [:]
    /// The time of the last record.
    var writtenAt: Int64
    /// The bytes that running transfers have not received yet, by the part's key.
    var expected: [String: Int64] = [:]
  }

  private let state: Mutex<State>
  /// The recorded bytes as last read.
  private let recorded: TimedCache<Account, Int64>

  /// - Parameter cap: the maximum number of bytes a month; nil for no limit.
  init(
    _ cap: ByteCount?, network: NetworkMonitor, store: LibraryStore,
    environment: FetchEnvironment
  ) {
    self.cap = cap
    self.network = network
    self.store = store
    self.environment = environment
    state = Mutex(State(writtenAt: environment.monotonicNow()))
    recorded = TimedCache(validity: Self.minInterval, environment)
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    guard let cap, let account = account(of: part) else { return nil }
    let total = try total(account)
    let isReserving = phase == .admission || phase == .announced
    let fits = state.withLock { state in
      guard isReserving else { return total < cap.bytes }
      state.expected[part.key] = nil
      let held = total.addingClamped(state.expected.values.clampedSum())
      // A part of unknown size needs room for one byte.
      guard held.addingClamped(part.missing ?? 1) <= cap.bytes else { return false }
      state.expected[part.key] = part.missing
      return true
    }
    guard !fits else { return nil }
    let nextMonth = environment.zone.local(environment.clock.now).nextMonth
    let left = ByteCount(clamping: max(0, cap.bytes - total)).forPeople
    return Failure(
      code,
      "\(left) left of this month's \(cap.forPeople) on the network '\(account.network)'",
      retryAt: environment.zone.timestamp(nextMonth))
  }

  func waits(
    for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits
  ) throws -> Bool {
    // A part that does not fit into the remaining bytes would be requested again and again.
    if let cap, let account = account(of: part), try total(account) < cap.bytes { return false }
    return limits.allowsWait(until: refusal.retryAt)
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    if case .ended = event { state.withLock { $0.expected[part.key] = nil } }
    guard case .received(let bytes) = event, let account = account(of: part) else { return }
    let now = environment.monotonicNow()
    let isDue = state.withLock { state in
      if let left = state.expected[part.key] { state.expected[part.key] = max(0, left - bytes) }
      state.unrecorded[account, default: 0] += bytes
      return state.unrecorded[account, default: 0] >= Self.minBytesBetween
        || now - state.writtenAt >= Self.minInterval
    }
    guard isDue else { return }
    do {
      try close()
    } catch {
      // If the store is full, the bytes are recorded with the next ones.
    }
  }

  /// Adds the bytes counted since the last call to the records.
  ///
  /// - Throws: errors of the store; the bytes are recorded with the next ones.
  func close() throws {
    let now = environment.monotonicNow()
    let fresh = state.withLock { state in
      state.writtenAt = now
      defer { state.unrecorded = [:] }
      return state.unrecorded
    }
    guard !fresh.isEmpty else { return }
    do {
      let sums = try store.update(.soon) { transaction in
        fresh.map { ($0.key, Self.add($0.value, to: $0.key, &transaction)) }
      }
      for (account, bytes) in sums { recorded.set(bytes, for: account) }
    } catch {
      state.withLock { $0.unrecorded.merge(fresh) { $0 + $1 } }
      throw error
    }
  }

  private static func add(
    _ bytes: Int64, to account: Account, _ transaction: inout StoreTransaction
  ) -> Int64 {
    let stored = transaction.record(.network, account.network)
    var months = NetworkMonths(of: stored)
    months[account.month] = months[account.month].addingClamped(bytes)
    var fields = stored?.fields ?? JSONObject()
    fields["months"] = .object(months.latest(monthsKept))
    transaction.write(StoredRecord(kind: .network, id: account.network, fields: fields))
    return months[account.month]
  }

  /// Returns the bytes of all processes so far; those of other processes are up to two seconds old.
  private func total(_ account: Account) throws -> Int64 {
    let bytes = try recorded.value(for: account) {
      NetworkMonths(of: try store.snapshot().record(.network, account.network))[account.month]
    }
    return state.withLock { bytes.addingClamped($0.unrecorded[account, default: 0]) }
  }

  /// Returns the account of a part's bytes; nil before the network is known. Loopback counts only
  /// if the user has named the network.
  private func account(of part: PolicySubject) -> Account? {
    guard !part.isLoopback || network.configuredName != nil,
      let name = network.reading(loopback: part.isLoopback)?.name
    else { return nil }
    return Account(
      network: name, month: environment.zone.local(environment.clock.now).monthName)
  }
}
