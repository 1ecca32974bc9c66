import VmxModel
import VmxStore
import VmxTransfer

/// The host memory in the store, shared with other processes and later runs.
///
/// A record of kind `host` has the end of the host's last penalty and, if it has a budget, the
/// times of its last requests. Neither is flushed to the disk at once: after a power loss, a few
/// more requests do no harm.
final class HostStateStore: HostMemory {
  /// A longer penalty in a record results from a wrong clock and is ignored.
  private static let longestPenalty: Int64 = 24 * 3600 * 1000

  private let store: LibraryStore
  private let clock: any WallClock
  private let recorded: TimedCache<HostName, HostPenalty?>
  /// The penalties that this process received, which apply even if the store cannot record them.
  private let own = OwnHostMemory()

  init(_ store: LibraryStore, _ environment: FetchEnvironment) {
    self.store = store
    clock = environment.clock
    recorded = TimedCache(validity: 500, environment)
  }

  func penalty(of host: HostName) -> HostPenalty? {
    let now = clock.now.milliseconds
    let shared = recorded.value(for: host) { read(host) }
    return [own.penalty(of: host), shared].compactMap { $0 }
      .filter { (1...Self.longestPenalty).contains($0.until.milliseconds - now) }
      .max { $0.until < $1.until }
  }

  func remember(_ penalty: HostPenalty, of host: HostName) {
    own.remember(penalty, of: host)
    do {
      try store.update(.soon) { transaction in
        var fields = transaction.record(.host, host.description)?.fields ?? JSONObject()
        if let known = HostPenalty(fields), known.until >= penalty.until { return }
        fields["quiet_until"] = .string(penalty.until.text)
        fields["status"] = .integer(Int64(penalty.status))
        transaction.put(StoredRecord(kind: .host, id: host.description, fields: fields))
      }
    } catch {
      // The penalty applies in this process anyway; the next record reports the store's error.
    }
  }

  func takeCall(of host: HostName, within budget: CallBudget) -> Int64? {
    do {
      return try store.update(.soon) { transaction in
        var fields = transaction.record(.host, host.description)?.fields ?? JSONObject()
        let texts = fields["calls"]?.array?.compactMap(\.string) ?? []
        let times = texts.compactMap { Timestamp($0) }
        let wait = budget.wait(after: times, now: transaction.now)
        guard wait == 0 else { return wait }
        let kept = (times + [transaction.now]).suffix(budget.calls)
        fields["calls"] = .array(kept.map { .string($0.text) })
        transaction.put(StoredRecord(kind: .host, id: host.description, fields: fields))
        return nil
      }
    } catch {
      // Without the store there is no count, and the episode soon ends with the store's error.
      return nil
    }
  }

  private func read(_ host: HostName) -> HostPenalty? {
    do {
      return try store.snapshot().record(.host, host.description).flatMap { HostPenalty($0.fields) }
    } catch {
      return nil
    }
  }
}

extension HostPenalty {
  fileprivate init?(_ fields: JSONObject) {
    guard let until = fields["quiet_until"]?.string.flatMap({ Timestamp($0) }) else { return nil }
    self.init(until: until, status: Int(clamping: fields["status"]?.integer ?? 503))
  }
}
