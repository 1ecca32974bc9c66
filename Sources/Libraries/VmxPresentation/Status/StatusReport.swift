package import VmxModel

/// The parts being fetched by all workers, and the totals of the library.
package struct StatusReport: Sendable, Equatable {
  /// The parts being fetched, ordered by host, process and id.
  package var items: [StatusItem]
  /// The totals of the library.
  package var totals: StatusTotals

  /// Creates a report.
  package init(items: [StatusItem], totals: StatusTotals) {
    self.items = items
    self.totals = totals
  }

  /// Prints the report. If the user asked for fields or a template, it has only the parts being
  /// fetched, without totals.
  package func print(
    _ form: OutputForm<StatusField>, withTotals: Bool, to sink: any ByteSink,
    _ terminal: TerminalFacts
  ) throws(OutputError) {
    var listing = Listing<StatusRow>(form, to: sink, terminal)
    for item in items { try listing.row(StatusRow(item, now: totals.at)) }
    try listing.end()
    guard withTotals else { return }
    if case .json = form {
      try sink.write(totals.record.line(escaping: terminal.isTerminal))
    } else if form.isTable(on: terminal) {
      if !items.isEmpty { try sink.write("\n") }
      try sink.write(totals.details.text(terminal))
    } else {
      for cells in totals.cells {
        let line = cells.map { TerminalText.escaped($0) }.joined(separator: "\t")
        try sink.write(line + "\n")
      }
    }
  }

  /// Returns the lines of a table with totals that fit on the terminal; parts beyond its height are
  /// only counted.
  ///
  /// - Throws: no error in practice, because it writes to a buffer in memory.
  package func frame(_ terminal: TerminalFacts) throws(OutputError) -> [String] {
    var report = self
    let below = totals.details.text(terminal).split(separator: "\n").count
    // The heading, the blank line, the line with the number of omitted parts, and the cursor's
    // line.
    let room = max(1, (terminal.height ?? .max) - below - 4)
    let isCut = items.count > room
    if isCut { report.items = Array(items.prefix(room)) }
    let buffer = ByteBuffer()
    try report.print(.columns(StatusField.defaultFields), withTotals: true, to: buffer, terminal)
    var lines = buffer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
    if isCut { lines.insert("… and \(items.count - room) more", at: room + 1) }
    return lines
  }
}

/// The totals of the library at a moment.
package struct StatusTotals: Sendable, Equatable {
  /// The episodes that wait for one reason.
  package struct Waiting: Sendable, Equatable {
    /// The reason; nil if the record has none.
    package var reason: WaitReason?
    /// The number of episodes.
    package var count: Int
    /// The earliest time at which one of the waits ends by itself; nil if none does.
    package var until: Timestamp?

    /// Creates the entry of a reason.
    package init(reason: WaitReason?, count: Int, until: Timestamp?) {
      self.reason = reason
      self.count = count
      self.until = until
    }

    var name: String { reason?.rawValue ?? "other" }
  }

  /// The traffic of one network in the current month.
  package struct Network: Sendable, Equatable {
    /// The name of the network.
    package var name: String
    /// The month, such as `2026-11`.
    package var month: String
    /// The number of body bytes received.
    package var bytes: Int64

    /// Creates the entry of a network.
    package init(name: String, month: String, bytes: Int64) {
      self.name = name
      self.month = month
      self.bytes = bytes
    }
  }

  /// The time of the totals.
  package var at: Timestamp
  /// The number of episodes in the library.
  package var episodes = 0
  /// The number of episodes being fetched at this moment.
  package var inWork = 0
  /// The number of episodes that are wanted, not ready, not being fetched, and not held.
  package var queued = 0
  /// The number of wanted episodes that are held by a temporary condition.
  package var waiting = 0
  /// The number of episodes on hold.
  package var paused = 0
  /// The number of failed episodes.
  package var failed = 0
  /// The number of ready episodes.
  package var ready = 0
  /// The number of feeds whose last check failed.
  package var failingFeeds = 0
  /// The number of roots that are not reachable, without those that the user has declared lost.
  package var rootsAway = 0
  /// The combined progress of all parts being fetched; the total size is known only if all sizes
  /// are.
  package var progress = ByteProgress(completedBytes: 0, total: 0, rate: nil)
  /// The waiting episodes by reason.
  package var reasons: [Waiting] = []
  /// The networks with traffic in this month.
  package var networks: [Network] = []

  /// Creates the totals of an empty library.
  package init(at: Timestamp) {
    self.at = at
  }

  /// Counts the parts being fetched and combines their progress.
  package mutating func count(_ items: [StatusItem]) {
    inWork = items.count
    let totals = items.compactMap(\.progress.total)
    let rates = items.compactMap(\.progress.rate)
    progress = ByteProgress(
      completedBytes: items.map(\.progress.completedBytes).clampedSum(),
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

  /// The last line of the JSON form; its id is `total`, which no episode can have.
  package var record: JSONObject {
    var object = EpisodeJSON.head("total")
    object.append("event", "totals")
    object.append("at", at.text)
    // The row describes no episode, so commands that accept episodes pass it through.
    object.append("row", "totals")
    for (name, count) in counts { object.append(name, .integer(Int64(count))) }
    object.append("failing_feeds", .integer(Int64(failingFeeds)))
    object.append("roots_away", .integer(Int64(rootsAway)))
    object.append("bytes", .integer(progress.completedBytes))
    object.append("total", progress.total.map { .integer($0) })
    object.append("rate", progress.rate.map { .integer($0) })
    object.append("eta_ms", progress.eta.map { .integer($0) })
    object.append("reasons", .array(reasons.map { .object($0.record) }))
    object.append("networks", .array(networks.map { .object($0.record) }))
    return object
  }

  /// The keys of the record after its head.
  static let keys = [
    JSONKey("event", .word, meaning: "totals"),
    JSONKey("at", .time, meaning: "The time of the totals"),
    JSONKey("in_work", .number, meaning: "The number of episodes in progress"),
    JSONKey("queued", .number, meaning: "The number of queued episodes"),
    JSONKey("waiting", .number, meaning: "The number of episodes that wait for a condition"),
    JSONKey("paused", .number, meaning: "The number of episodes on hold"),
    JSONKey("failed", .number, meaning: "The number of failed episodes"),
    JSONKey("ready", .number, meaning: "The number of ready episodes"),
    JSONKey("episodes", .number, meaning: "The number of all episodes"),
    JSONKey("failing_feeds", .number, meaning: "The number of feeds whose last check failed"),
    JSONKey("roots_away", .number, meaning: "The number of roots that are not reachable"),
    JSONKey("bytes", .bytes, meaning: "The received size of those in progress"),
    JSONKey("total", .bytes, meaning: "Their total size, if all sizes are known"),
    JSONKey("rate", .rate, meaning: "The total rate"),
    JSONKey("eta_ms", .milliseconds, meaning: "Their estimated remaining time"),
    JSONKey("reasons", .list, meaning: "The reasons of the waiting episodes"),
    JSONKey("reasons[].reason", .word, meaning: "The reason, as in vmx-states(7), or other"),
    JSONKey("reasons[].count", .number, meaning: "The number of episodes that wait for it"),
    JSONKey(
      "reasons[].until", .time, meaning: "The time when the first of them resumes automatically"),
    JSONKey("networks", .list, meaning: "The networks with traffic in this month"),
    JSONKey("networks[].network", .text, meaning: "The name of the network"),
    JSONKey("networks[].month", .text, meaning: "The month, as YYYY-MM"),
    JSONKey("networks[].bytes", .bytes, meaning: "The received size"),
  ]

  /// The lines for a pipe: a name that cannot be an id, a number, and the time if there is one.
  package var cells: [[String]] {
    let counted = counts.map { [$0.name, String($0.count)] }
    let held = reasons.map { ["waiting:\($0.name)", String($0.count), $0.until?.text ?? ""] }
    let spent = networks.map { ["network:\($0.name)", String($0.bytes), $0.month] }
    return counted + held + spent
  }

  /// The totals as text, without zeros.
  package var details: Details {
    var lines: [Details.Line] = []
    if inWork > 0 { lines.append(Details.Line("in work", working, style: .active)) }
    if queued > 0 { lines.append(Details.Line("queued", "\(queued)")) }
    if waiting > 0 {
      lines.append(Details.Line("waiting", "\(waiting): \(waitingText)", style: .warning))
    }
    if paused > 0 { lines.append(Details.Line("paused", "\(paused)", style: .warning)) }
    if failed > 0 { lines.append(Details.Line("failed", "\(failed)", style: .failure)) }
    if ready > 0 { lines.append(Details.Line("ready", "\(ready)", style: .success)) }
    if failingFeeds > 0 {
      let verb = failingFeeds == 1 ? "fails" : "fail"
      lines.append(
        Details.Line("feeds", "\(failingFeeds) \(verb); run 'vmx feed list'", style: .failure))
    }
    for network in networks {
      let amount = ByteCount(clamping: network.bytes).forPeople
      lines.append(Details.Line("this month", "\(amount) over '\(network.name)'"))
    }
    return Details(heading: episodes == 1 ? "1 episode" : "\(episodes) episodes", lines: lines)
  }

  private var working: String {
    let held = ByteCount(clamping: progress.completedBytes).forPeople
    let whole = progress.total.map { " of \(ByteCount(clamping: $0).forPeople)" } ?? ""
    let rate = progress.rate.map { ", \(ByteCount(clamping: $0).forPeople)/s" } ?? ""
    let eta = progress.eta.map { ", ETA \(TimeText.duration(milliseconds: $0))" } ?? ""
    return "\(inWork): \(held)\(whole)\(rate)\(eta)"
  }

  private var waitingText: String {
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
