import VmxModel
import VmxSettings
import VmxStore
import VmxTransfer

/// The host memory in the store, shared with other processes and later runs.
///
/// A record of kind `host` contains the refusals and the pace. No record is flushed to the disk
/// immediately: after a power loss, a few more requests do no harm. A dry run reads the records and
/// writes none; what it learns is in the memory of its process.
final class HostStateStore: HostMemory {
  private let store: LibraryStore
  private let clock: any WallClock
  private let limits: HostPace.Limits
  private let recorded: TimedCache<HostName, HostState>
  /// The memory of this process, which applies even if the store cannot record it.
  private let own: OwnHostMemory
  private let counts: RequestCounts

  init(_ store: LibraryStore, settings: TransferSettings, environment: FetchEnvironment) {
    self.store = store
    clock = environment.clock
    limits = HostPace.Limits(settings)
    recorded = TimedCache(validity: 500, environment)
    own = OwnHostMemory(settings, clock: environment.clock)
    counts = RequestCounts(in: environment.requestCounts, clock: environment.clock)
  }

  func penalty(of url: HostedURL) -> HostPenalty? {
    let shared = state(of: url.host).penalty(of: url.key, now: clock.now)
    return [own.penalty(of: url), shared].compactMap { $0 }.max { $0.until < $1.until }
  }

  func recordPenalty(_ penalty: HostPenalty, of url: HostedURL, isForAll: Bool) {
    own.recordPenalty(penalty, of: url, isForAll: isForAll)
    _ = change(url.host) { state, now in
      state.refuse(url.key, penalty, isForAll: isForAll, now: now)
    }
  }

  /// Records that a host refuses everything.
  func isDown(_ host: HostName, _ penalty: HostPenalty) {
    _ = change(host) { state, _ in state.isDown(penalty) }
  }

  /// The milliseconds until the pace of a host allows the next request; does not use up a turn.
  func delay(of host: HostName) -> Int64 {
    state(of: host).pace?.delay(now: clock.now, limits) ?? 0
  }

  func reserveRequest(of host: HostName) -> Int64 {
    guard !store.isDryRun else { return max(delay(of: host), own.reserveRequest(of: host)) }
    guard state(of: host).pace != nil else { return 0 }
    let known = delay(of: host)
    if known > 0 { return known }
    return change(host) { state, now in state.pace?.reserve(now: now, limits) ?? 0 }
      ?? own.reserveRequest(of: host)
  }

  func slowDown(_ host: HostName, sent: Timestamp) -> (delay: Int64, wasSlowest: Bool) {
    let responses = own.takeResponses(of: host)
    return change(host) { state, now in
      state.slowDown(sent: sent, now: now, after: responses, limits)
    } ?? own.slowDown(host, sent: sent)
  }

  func speedUp(_ host: HostName) {
    own.countResponse(of: host)
    guard state(of: host).pace != nil else { return }
    _ = change(host) { state, now in state.speedUp(now: now, limits) }
  }

  func countRequest(of host: HostName, within budget: CallBudget) -> Int64? {
    counts.count(host, within: budget)
  }

  private func state(of host: HostName) -> HostState {
    recorded.value(for: host) {
      do {
        let record = try store.snapshot().record(.host, host.description)
        return record.map { HostState($0.fields) } ?? HostState()
      } catch {
        return HostState()
      }
    }
  }

  /// Changes the record of a host.
  ///
  /// - Returns: nil in a dry run, and if the store cannot record it; the next record reports the
  ///   store's error.
  private func change<Result: Sendable>(
    _ host: HostName, _ body: (inout HostState, Timestamp) -> Result
  ) -> Result? {
    guard !store.isDryRun else { return nil }
    do {
      let (state, result) = try store.update(.soon) { transaction in
        var fields = transaction.record(.host, host.description)?.fields ?? JSONObject()
        let before = HostState(fields)
        var state = before
        let result = body(&state, transaction.now)
        if state != before {
          state.write(to: &fields)
          transaction.write(StoredRecord(kind: .host, id: host.description, fields: fields))
        }
        return (state, result)
      }
      recorded.set(state, for: host)
      return result
    } catch {
      return nil
    }
  }
}

// The fields of a record of kind `host`.
extension HostState {
  init(_ fields: JSONObject) {
    self.init()
    hostPenalty = fields["quiet_until"]?.string.flatMap { Timestamp($0) }.map { until in
      HostPenalty(
        until: until, status: Int(clamping: fields["status"]?.integer ?? 503),
        url: fields["refused_url"]?.string ?? "")
    }
    refusals = (fields["refused"]?.array ?? []).compactMap { $0.object.flatMap(Refusal.init) }
    pace = fields["pace"]?.object.flatMap(HostPace.init)
  }

  fileprivate func write(to fields: inout JSONObject) {
    if let hostPenalty {
      fields["quiet_until"] = .string(hostPenalty.until.text)
      fields["status"] = .integer(Int64(hostPenalty.status))
      fields["refused_url"] = .string(hostPenalty.url)
    }
    // Earlier versions recorded the times of requests here.
    fields = fields.without(["refused", "pace", "calls"])
    if !refusals.isEmpty { fields["refused"] = .array(refusals.map { .object($0.json) }) }
    if let pace { fields["pace"] = .object(pace.json) }
  }
}

extension HostState.Refusal {
  fileprivate init?(_ fields: JSONObject) {
    guard let url = fields["url"]?.string.flatMap({ UInt64($0, radix: 16) }),
      let at = fields["at"]?.string.flatMap({ Timestamp($0) }),
      let until = fields["until"]?.string.flatMap({ Timestamp($0) })
    else { return nil }
    let status = Int(clamping: fields["status"]?.integer ?? 503)
    self.init(
      url: url, at: at,
      penalty: HostPenalty(until: until, status: status, url: fields["shown"]?.string ?? ""))
  }

  fileprivate var json: JSONObject {
    JSONObject(distinct: [
      ("url", .string(Hex.text(of: url))), ("shown", .string(penalty.url)),
      ("at", .string(at.text)), ("until", .string(penalty.until.text)),
      ("status", .integer(Int64(penalty.status))),
    ])
  }
}

extension HostPace {
  fileprivate init?(_ fields: JSONObject) {
    guard let interval = fields["interval_ms"]?.integer,
      let next = fields["next"]?.string.flatMap({ Timestamp($0) }),
      let slowed = fields["slowed"]?.string.flatMap({ Timestamp($0) })
    else { return nil }
    self.init(interval: interval, next: next, slowed: slowed)
    responses = max(0, fields["responses"]?.integer ?? 0)
    slowdowns = max(0, fields["slowdowns"]?.integer ?? 0)
  }

  fileprivate var json: JSONObject {
    JSONObject(distinct: [
      ("interval_ms", .integer(interval)), ("next", .string(next.text)),
      ("slowed", .string(slowed.text)), ("responses", .integer(responses)),
      ("slowdowns", .integer(slowdowns)),
    ])
  }
}
