package import VmxModel

/// One part that is being fetched, as its worker last reported.
package struct StatusItem: Sendable, Equatable {
  /// The episode.
  package var id: String
  /// The name of the part; nil if its worker did not report it.
  package var part: String?
  /// The bytes received, the total size, and the rate in bytes a second.
  package var progress: ByteProgress
  /// The phase of the transfer; nil if its worker did not report it.
  package var phase: ProgressPhase?
  /// The time of this report.
  package var at: Timestamp
  /// The number of the attempt, starting at 1.
  package var attempt: Int64 = 1
  /// The host on which the worker runs.
  package var host = ""
  /// The process id of the worker on that host.
  package var pid: Int32 = 0
  /// The time when that process started.
  package var since: Timestamp

  /// Creates an item whose worker has just started.
  package init(id: String, part: String?, progress: ByteProgress, at: Timestamp) {
    self.id = id
    self.part = part
    self.progress = progress
    self.at = at
    since = at
  }
}

extension StatusItem {
  /// The fields of the work without the episode, as an object for other records.
  package var record: JSONObject {
    let row = StatusRow(self, now: at)
    var object = JSONObject()
    for field in StatusRow.recorded { object.append(field.rawValue, row.json(field)) }
    return object
  }

  /// Formats the process, its start time and its progress as one phrase.
  ///
  /// - Parameter zone: the time zone of the user; nil for RFC 3339 in UTC.
  package func phrase(now: Timestamp, in zone: (any LocalZone)? = nil) -> String {
    let row = StatusRow(self, now: now)
    let since = TimeText.absolute(since, in: zone)
    let words = [
      "process \(pid) on '\(host)' since \(since) (\(row.cell(.since).text))", part,
      progress.percent.map { "\($0)%" } ?? row.cell(.bytes).text, row.cell(.rate).text,
      phase.flatMap { $0.isMoving ? nil : $0.rawValue },
    ]
    return words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// The fields of the parts being fetched, named as in the JSON record.
package enum StatusField: String, ListingField {
  case id, part, percent, rate
  case eta = "eta_ms"
  case bytes, total, attempt, pid, host, since, at, phase

  package static let defaultFields: [StatusField] = [
    .id, .part, .percent, .rate, .eta, .bytes, .total, .attempt, .pid, .host, .since, .phase,
  ]

  package var column: Column {
    switch self {
    case .id: Column("ID")
    case .percent: Column("DONE", .right)
    case .eta: Column("ETA", .right)
    case .attempt: Column("TRY", .right)
    case .rate, .bytes, .total, .pid: Column(heading, .right)
    case .part, .host, .since, .at, .phase: Column(heading)
    }
  }
}

/// A part that is being fetched, as a row of a listing.
package struct StatusRow: ListingRow {
  private let item: StatusItem
  private let now: Timestamp

  /// Creates the row of an item.
  package init(_ item: StatusItem, now: Timestamp) {
    self.item = item
    self.now = now
  }

  package var id: String { item.id }

  package func cell(_ field: StatusField) -> Cell {
    switch field {
    case .id: Cell(item.id, .strong)
    case .percent: Cell(item.progress.percent.map { "\($0)%" } ?? "", .active)
    case .rate: Cell(item.progress.rate.map { "\(Self.amount($0))/s" } ?? "")
    case .eta: Cell(item.progress.eta.map { TimeText.duration(milliseconds: $0) } ?? "")
    case .bytes: Cell(Self.amount(item.progress.completedBytes))
    case .total: Cell(item.progress.total.map { Self.amount($0) } ?? "")
    case .attempt: Cell(String(item.attempt), item.attempt > 1 ? .warning : .plain)
    case .since: Cell(TimeText.relative(item.since, to: now), .dim)
    case .at: Cell(TimeText.relative(item.at, to: now), .dim)
    case .phase: Cell(exact(field), item.phase == .stalling ? .warning : .plain)
    case .part, .pid, .host: Cell(exact(field))
    }
  }

  package func exact(_ field: StatusField) -> String {
    switch field {
    case .id: item.id
    case .part: item.part ?? ""
    case .percent: item.progress.percent.map { String($0) } ?? ""
    case .rate: item.progress.rate.map { String($0) } ?? ""
    case .eta: item.progress.eta.map { String($0) } ?? ""
    case .bytes: String(item.progress.completedBytes)
    case .total: item.progress.total.map { String($0) } ?? ""
    case .attempt: String(item.attempt)
    case .pid: String(item.pid)
    case .host: item.host
    case .since: item.since.text
    case .at: item.at.text
    case .phase: item.phase?.rawValue ?? ""
    }
  }

  package static let recorded: [StatusField] = [
    .part, .bytes, .total, .rate, .eta, .attempt, .host, .pid, .since, .at, .phase,
  ]

  package func record(_ fields: [StatusField]?) -> JSONObject {
    var object = EpisodeJSON.head(id, .progress)
    object.append("event", "progress")
    for field in fields ?? Self.recorded where object[field.rawValue] == nil {
      object.append(field.rawValue, json(field))
    }
    return object
  }

  package func json(_ field: StatusField) -> JSONValue? {
    switch field {
    case .percent: item.progress.percent.map { .integer($0) }
    case .rate: item.progress.rate.map { .integer($0) }
    case .eta: item.progress.eta.map { .integer($0) }
    case .bytes: .integer(item.progress.completedBytes)
    case .total: item.progress.total.map { .integer($0) }
    case .attempt: .integer(item.attempt)
    case .pid: .integer(Int64(item.pid))
    case .part: item.part.map { .string($0) }
    case .phase: item.phase.map { .string($0.rawValue) }
    case .id, .host, .since, .at: .string(exact(field))
    }
  }

  private static func amount(_ bytes: Int64) -> String { ByteCount(clamping: bytes).forPeople }
}

/// A change of an episode, as a line of a stream.
package struct StatusEvent: Sendable, Equatable {
  /// The kind of the change, with its data.
  package enum Change: Sendable, Equatable {
    /// The episode was added to the library.
    case added(state: EpisodeState, want: Want)
    /// A part changed its state.
    case state(Transition, reason: WaitReason?, until: Timestamp?)
    /// The user or a command changed the requested action.
    case want(from: Want, to: Want)
    /// The progress of a part.
    case progress(StatusItem)
    /// The worker has stopped without recording a result: it was interrupted or died.
    case stopped(StatusItem)
    /// The episode was removed from the store.
    case removed
  }

  /// The episode.
  package let id: String
  /// The change.
  package let change: Change
  /// The time at which the change was recorded; transitions and progress contain their own time.
  package let at: Timestamp?

  /// Creates an event of an episode.
  package init(_ id: String, _ what: Change, at: Timestamp? = nil) {
    self.id = id
    self.change = what
    self.at = at
  }

  private var time: Timestamp? {
    if case .state(let step, _, _) = change { step.at } else { at }
  }

  /// The event as a record, beginning with `schema`, `id` and `event`.
  package var record: JSONObject {
    var object = EpisodeJSON.head(id, .event)
    switch change {
    case .added(let state, let want):
      object.append("event", "added")
      object.append("state", state.rawValue)
      object.append("want", want.rawValue)
    case .state(let step, let reason, let until):
      object.append("event", "state")
      object.append("part", step.part)
      object.append("from", step.from.rawValue)
      object.append("to", step.to.rawValue)
      object.append("code", step.code?.rawValue)
      object.append("reason", reason?.rawValue)
      object.append("until", until?.text)
    case .want(let from, let to):
      object.append("event", "want")
      object.append("from", from.rawValue)
      object.append("to", to.rawValue)
    case .progress(let item): return StatusRow(item, now: item.at).record(nil)
    case .stopped(let item):
      var record = StatusRow(item, now: item.at).record(nil)
      record["event"] = "stopped"
      return record
    case .removed: object.append("event", "removed")
    }
    object.append("at", time?.text)
    return object
  }
}
