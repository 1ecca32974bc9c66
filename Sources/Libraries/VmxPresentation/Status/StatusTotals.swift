package import VmxModel

/// How the whole library stands at a moment.
package struct StatusTotals: Sendable, Equatable {
  /// What some episodes wait for.
  package struct Waiting: Sendable, Equatable {
    /// The reason; nil where the record tells none.
    package var reason: WaitReason?
    /// How many wait for it.
    package var count: Int
    /// When the first of them ends by itself; nil if none does.
    package var until: Timestamp?

    /// So many episodes that wait.
    package init(reason: WaitReason?, count: Int, until: Timestamp?) {
      self.reason = reason
      self.count = count
      self.until = until
    }

    var name: String { reason?.rawValue ?? "other" }
  }

  /// What came over a network in the current month.
  package struct Network: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// Such as `2026-11`.
    package var month: String
    /// Body bytes.
    package var bytes: Int64

    /// So many bytes over a network.
    package init(name: String, month: String, bytes: Int64) {
      self.name = name
      self.month = month
      self.bytes = bytes
    }
  }

  /// The moment.
  package var at: Timestamp
  /// All episodes that the library knows.
  package var episodes = 0
  /// In work at this moment.
  package var inWork = 0
  /// Wanted, not ready, not in work, and held by nothing.
  package var queued = 0
  /// Wanted, and held by something that passes.
  package var waiting = 0
  /// On hold.
  package var paused = 0
  /// Failed.
  package var failed = 0
  /// Ready.
  package var ready = 0
  /// All that is in work as one; its whole is known only where that of all is.
  package var headway = Headway(held: 0, total: 0, rate: nil)
  /// What the waiting ones wait for, by reason.
  package var reasons: [Waiting] = []
  /// The networks over which anything came this month.
  package var networks: [Network] = []

  /// Totals of an empty library.
  package init(at: Timestamp) {
    self.at = at
  }

  /// Sums up what is in work.
  package mutating func count(_ items: [StatusItem]) {
    inWork = items.count
    let totals = items.compactMap(\.headway.total)
    let rates = items.compactMap(\.headway.rate)
    headway = Headway(
      held: items.map(\.headway.held).clampedSum(),
      total: totals.count == items.count ? totals.clampedSum() : nil,
      rate: rates.isEmpty ? nil : rates.clampedSum())
  }
}

extension StatusTotals {
  private var counts: [(name: String, count: Int)] {
    [
      ("in_work", inWork), ("queued", queued), ("waiting", waiting), ("paused", paused),
      ("failed", failed), ("ready", ready), ("episodes", episodes),
    ]
  }

  /// The last line of the JSON form; its id is `total`, which can be no episode's.
  package var record: JSONObject {
    var object = EpisodeJSON.head("total")
    object.append("event", "totals")
    object.append("at", at.text)
    for (name, count) in counts { object.append(name, .integer(Int64(count))) }
    object.append("bytes", .integer(headway.held))
    object.append("total", headway.total.map { .integer($0) })
    object.append("rate", headway.rate.map { .integer($0) })
    object.append("eta_ms", headway.eta.map { .integer($0) })
    object.append("reasons", .array(reasons.map { .object($0.record) }))
    object.append("networks", .array(networks.map { .object($0.record) }))
    return object
  }

  /// Lines for a pipe: a name that can be no id, a number, and where there is one a time.
  package var cells: [[String]] {
    let counted = counts.map { [$0.name, String($0.count)] }
    let held = reasons.map { ["waiting:\($0.name)", String($0.count), $0.until?.text ?? ""] }
    let spent = networks.map { ["network:\($0.name)", String($0.bytes), $0.month] }
    return counted + held + spent
  }

  /// For people; what is nothing is left out.
  package var details: Details {
    var lines: [Details.Line] = []
    if inWork > 0 { lines.append(Details.Line("in work", working, .busy)) }
    if queued > 0 { lines.append(Details.Line("queued", "\(queued)")) }
    if waiting > 0 { lines.append(Details.Line("waiting", "\(waiting): \(held)", .held)) }
    if paused > 0 { lines.append(Details.Line("paused", "\(paused)", .held)) }
    if failed > 0 { lines.append(Details.Line("failed", "\(failed)", .bad)) }
    if ready > 0 { lines.append(Details.Line("ready", "\(ready)", .good)) }
    for network in networks {
      let amount = ByteCount(clamping: network.bytes).forPeople
      lines.append(Details.Line("this month", "\(amount) over '\(network.name)'"))
    }
    return Details(heading: episodes == 1 ? "1 episode" : "\(episodes) episodes", lines: lines)
  }

  private var working: String {
    let held = ByteCount(clamping: headway.held).forPeople
    let whole = headway.total.map { " of \(ByteCount(clamping: $0).forPeople)" } ?? ""
    let rate = headway.rate.map { ", \(ByteCount(clamping: $0).forPeople)/s" } ?? ""
    let eta = headway.eta.map { ", ETA \(TimeText.duration(milliseconds: $0))" } ?? ""
    return "\(inWork): \(held)\(whole)\(rate)\(eta)"
  }

  private var held: String {
    reasons.map { waiting in
      let until = waiting.until.map { " (the first \(TimeText.relative($0, to: at)))" } ?? ""
      return "\(waiting.name) \(waiting.count)\(until)"
    }.joined(separator: ", ")
  }
}

extension StatusTotals.Waiting {
  fileprivate var record: JSONObject {
    var object = JSONObject()
    object.append("reason", name)
    object.append("count", .integer(Int64(count)))
    object.append("until", until?.text)
    return object
  }
}

extension StatusTotals.Network {
  fileprivate var record: JSONObject {
    JSONObject(distinct: [
      ("network", .string(name)), ("month", .string(month)), ("bytes", .integer(bytes)),
    ])
  }
}
