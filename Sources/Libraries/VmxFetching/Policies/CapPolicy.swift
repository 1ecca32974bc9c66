import VmxModel
import VmxStore
import VmxSystem

/// Limits the bytes received over one network in a month, and counts them without a limit too.
struct CapPolicy: TransferPolicy {
  let code = ErrorCode.capReached
  private let cap: ByteCount?
  private let network: NetworkMonitor
  private let ledger: NetworkLedger
  private let environment: FetchEnvironment

  /// - Parameter cap: the maximum number of bytes a month; nil for no limit.
  init(
    _ cap: ByteCount?, _ network: NetworkMonitor, _ ledger: NetworkLedger,
    _ environment: FetchEnvironment
  ) {
    self.cap = cap
    self.network = network
    self.ledger = ledger
    self.environment = environment
  }

  func refusal(of part: PolicySubject, in phase: TransferPhase) throws -> Failure? {
    guard let cap, let account = account(of: part), try ledger.total(account) >= cap.bytes else {
      return nil
    }
    let nextMonth = environment.zone.local(environment.clock.now).nextMonth
    return Failure(
      code,
      "the \(cap.forPeople) of this month have come over the network '\(account.network)'",
      retryAt: environment.zone.moment(nextMonth))
  }

  func waits(for refusal: Failure, of part: PolicySubject, _ limits: WaitLimits) -> Bool {
    limits.allowsWait(until: refusal.retryAt)
  }

  func handle(_ event: TransferEvent, of part: PolicySubject) {
    guard case .received(let bytes) = event, let account = account(of: part) else { return }
    do {
      try ledger.add(bytes, to: account)
    } catch {
      // If the store is full, the bytes are recorded with the next ones.
    }
  }

  func close() throws { try ledger.write() }

  /// The account of a part's bytes; nil before the network is known. Loopback counts only if the
  /// user has named the network.
  private func account(of part: PolicySubject) -> NetworkLedger.Account? {
    guard !part.isLoopback || network.givenName != nil,
      let name = network.reading(loopback: part.isLoopback)?.name
    else { return nil }
    let month = environment.zone.local(environment.clock.now).monthName
    return NetworkLedger.Account(network: name, month: month)
  }
}

/// Counts the body bytes of each network and month in the store, together with other processes.
///
/// New bytes are added to the record after 16 MiB or 2 s, and at the end. A crash in between loses
/// their count.
final class NetworkLedger: Sendable {
  private static let bytesApart: Int64 = 16 << 20
  private static let timeApart: Int64 = 2000
  /// The number of months kept in a record.
  private static let monthsKept = 12

  /// A network and a month.
  struct Account: Sendable, Hashable {
    let network: String
    /// The month, such as `2026-11`.
    let month: String
  }

  private struct State {
    /// The recorded bytes as last read, and the time of that.
    var recorded: [Account: (bytes: Int64, at: Int64)] = [:]
    /// The received bytes that are not recorded yet.
    var fresh: [Account: Int64] = [:]
    var writtenAt: Int64
  }

  private let store: LibraryStore
  private let moment: @Sendable () -> Int64
  private let state: Monitor<State>

  /// - Parameter moment: returns milliseconds of the monotonic clock.
  init(_ store: LibraryStore, moment: @escaping @Sendable () -> Int64) {
    self.store = store
    self.moment = moment
    state = Monitor(State(writtenAt: moment()))
  }

  /// Returns the bytes of all processes so far; those of other processes are up to two seconds old.
  ///
  /// - Throws: errors of the store.
  func total(_ account: Account) throws -> Int64 {
    let now = moment()
    let known = state.withLock { state -> Int64? in
      guard let last = state.recorded[account], now - last.at < Self.timeApart else { return nil }
      return last.bytes.addingClamped(state.fresh[account, default: 0])
    }
    if let known { return known }
    let record = try store.snapshot().record(.network, account.network)
    let bytes = NetworkMonths(of: record)[account.month]
    return state.withLock { state in
      state.recorded[account] = (bytes, now)
      return bytes.addingClamped(state.fresh[account, default: 0])
    }
  }

  /// Counts received bytes.
  ///
  /// - Throws: errors of the store. The bytes are counted anyway and recorded at the next attempt.
  func add(_ bytes: Int64, to account: Account) throws {
    let now = moment()
    let isDue = state.withLock { state in
      state.fresh[account, default: 0] += bytes
      return state.fresh[account, default: 0] >= Self.bytesApart
        || now - state.writtenAt >= Self.timeApart
    }
    if isDue { try write() }
  }

  /// Adds the bytes counted since the last call to the records.
  ///
  /// - Throws: errors of the store.
  func write() throws {
    let now = moment()
    let fresh = state.withLock { state in
      state.writtenAt = now
      defer { state.fresh = [:] }
      return state.fresh
    }
    guard !fresh.isEmpty else { return }
    do {
      let recorded = try store.update(.soon) { transaction in
        fresh.map { ($0.key, Self.add($0.value, to: $0.key, &transaction)) }
      }
      state.withLock { state in
        for (account, bytes) in recorded { state.recorded[account] = (bytes, now) }
      }
    } catch {
      state.withLock { $0.fresh.merge(fresh) { $0 + $1 } }
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
    transaction.put(StoredRecord(kind: .network, id: account.network, fields: fields))
    return months[account.month]
  }
}
