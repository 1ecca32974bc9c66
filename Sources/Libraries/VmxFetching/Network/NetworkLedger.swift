import VmxModel
import VmxStore
import VmxSystem

/// Counts the body bytes of each network and month in the store, together with other processes.
///
/// New bytes are added to the record after 16 MiB or 2 s, and at the end. A crash in between loses
/// their count.
final class NetworkLedger: Sendable {
  private static let bytesApart: Int64 = 16 << 20
  private static let timeApart: Int64 = 2000
  /// The number of months kept in a record.
  private static let monthsKept = 12

  private struct State {
    /// The recorded bytes by network and month, as last read.
    var recorded: [Account: Int64] = [:]
    var readAt: [Account: Int64] = [:]
    /// The received bytes that are not recorded yet.
    var fresh: [Account: Int64] = [:]
    var writtenAt: Int64
  }

  /// A network and a month.
  struct Account: Sendable, Hashable {
    let network: String
    /// The month, such as `2026-11`.
    let month: String
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

  /// The bytes of all processes so far; those of other processes are up to two seconds old.
  func total(_ account: Account) throws -> Int64 {
    let now = moment()
    let known = state.withLock { state -> Int64? in
      guard let readAt = state.readAt[account], now - readAt < Self.timeApart else { return nil }
      return state.recorded[account, default: 0].addingClamped(state.fresh[account, default: 0])
    }
    if let known { return known }
    let record = try store.snapshot().record(.network, account.network)
    let bytes = NetworkMonths(of: record)[account.month]
    return state.withLock { state in
      state.recorded[account] = bytes
      state.readAt[account] = now
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
        for (account, bytes) in recorded {
          state.recorded[account] = bytes
          state.readAt[account] = now
        }
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
