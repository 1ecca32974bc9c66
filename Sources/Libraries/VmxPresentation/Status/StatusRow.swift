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
    row.append(nil, to: &object)
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
  package static let recorded: [StatusField] = [
    .part, .bytes, .total, .rate, .eta, .attempt, .host, .pid, .since, .at, .phase,
  ]

  package var key: FieldKey {
    switch self {
    case .id: FieldKey(.text, "The id of the episode")
    case .part: FieldKey(.text, "The name of the part")
    case .percent:
      FieldKey(.number, "The received percentage; only with --fields", heading: "DONE")
    case .rate: FieldKey(.rate, "The present rate")
    case .eta: FieldKey(.milliseconds, "The estimated remaining time", heading: "ETA")
    case .bytes: FieldKey(.bytes, "The received size")
    case .total: FieldKey(.bytes, "The total size")
    case .attempt: FieldKey(.number, "The attempt, counted from 1", heading: "TRY")
    case .pid: FieldKey(.number, "The process id of the worker (status)")
    case .host: FieldKey(.text, "The host name of the worker (status)")
    case .since: FieldKey(.time, "The start time of that process (status)")
    case .at: FieldKey(.time, "The time of the report (status)")
    case .phase:
      FieldKey(.word, "connecting, receiving, stalling, verifying or publishing")
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

  package func value(_ field: StatusField) -> RowValue {
    let progress = item.progress
    return switch field {
    case .id: .text(id).styled(.strong)
    case .part: .text(item.part)
    case .percent:
      .number(progress.percent).styled(.active).shown(
        Cell(progress.percent.map { "\($0)%" } ?? ""))
    case .rate:
      .bytes(progress.rate).shown(
        Cell(progress.rate.map { "\(ByteCount(clamping: $0).forPeople)/s" } ?? ""))
    case .eta:
      .duration(progress.eta).shown(
        Cell(progress.eta.map { TimeText.duration(milliseconds: $0) } ?? ""))
    case .bytes: .bytes(progress.completedBytes)
    case .total: .bytes(progress.total)
    case .attempt: .number(item.attempt).styled(item.attempt > 1 ? .warning : .plain)
    case .pid: .number(Int64(item.pid))
    case .host: .text(item.host)
    case .since: .time(item.since, relativeTo: now).styled(.dim)
    case .at: .time(item.at, relativeTo: now).styled(.dim)
    case .phase: .word(item.phase?.rawValue, item.phase == .stalling ? .warning : .plain)
    }
  }

  /// The keys of the record after its head, with those that only fetch prints.
  static let keys: [JSONKey] =
    [JSONKey("event", .word, meaning: "progress; stopped if the worker ended without a result")]
    + JSONKey.keys(of: [
      StatusField.part, .bytes, .total, .rate, .eta, .percent, .attempt, .phase, .host, .pid,
      .since, .at,
    ]) + [
      JSONKey("connections", .number, meaning: "The number of open connections (fetch)"),
      JSONKey("note", .text, meaning: "The reason for a delay (fetch)"),
    ]

  package func record(_ fields: [StatusField]?) -> JSONObject {
    var object = EpisodeJSON.head(id, .progress)
    object.append("event", "progress")
    append(fields, to: &object)
    return object
  }
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

  /// The keys of the record after its head.
  static let keys = [
    JSONKey("event", .word, meaning: "added, state, want or removed"),
    JSONKey("state", .word, meaning: "The state of an added episode"),
    JSONKey("want", .word, meaning: "The want of an added episode"),
    JSONKey("part", .text, meaning: "The part whose state changed"),
    JSONKey("from", .word, meaning: "The previous state or want"),
    JSONKey("to", .word, meaning: "The new state or want"),
    JSONKey("code", .word, meaning: "The error code, as in vmx-errors(7)"),
    JSONKey("reason", .word, meaning: "The reason for the wait, as in vmx-states(7)"),
    JSONKey("until", .time, meaning: "The time when it resumes automatically"),
    JSONKey("at", .time, meaning: "The time of the change"),
  ]

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
