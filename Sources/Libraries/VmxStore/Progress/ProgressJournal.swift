package import VmxModel
package import VmxSystem

/// Writes progress records for one process, no more often than a status display needs.
///
/// It writes a line when 16 MiB have arrived or 2 s have passed since the last line of the episode.
/// It never writes more than 4 lines a second for the whole process. No write waits for the disk.
package final class ProgressJournal: Sendable {
  private static let minBytesBetween: Int64 = 16 << 20
  private static let minInterval: Int64 = 2000
  private static let linesASecond = 4

  private struct State {
    var last: [EpisodeID: (bytes: Int64, at: Int64)] = [:]
    /// The times of the last few writes in milliseconds, oldest first.
    var written: [Int64] = []
  }

  private let store: LibraryStore
  private let clock: any WallClock
  private let state = Monitor(State())

  /// Creates a journal that writes to a store.
  package init(_ store: LibraryStore, clock: any WallClock) {
    self.store = store
    self.clock = clock
  }

  /// Reports the progress of an episode; most reports write no line.
  ///
  /// - Returns: whether a line was written. A full store is not an error.
  /// - Throws: other errors of the store.
  @discardableResult
  package func report(_ line: ProgressLine) throws -> Bool {
    guard isDue(line) else { return false }
    do {
      try store.update(.soon) { $0.write(line.record) }
      return true
    } catch StoreError.full {
      return false
    }
  }

  /// Forgets an episode that this process no longer works on. The update that records the result
  /// removes the line (`delete(.progress, …)`).
  package func end(_ episode: EpisodeID) {
    state.withLock { $0.last[episode] = nil }
  }

  private func isDue(_ line: ProgressLine) -> Bool {
    let now = clock.now.milliseconds
    return state.withLock { state in
      if let last = state.last[line.episode] {
        // If the clock was set back, reports must not pause until it has caught up.
        let isLate = now - last.at >= Self.minInterval || now < last.at
        guard isLate || line.bytes.bytes - last.bytes >= Self.minBytesBetween else { return false }
      }
      state.written.removeAll { now - $0 >= 1000 || now < $0 }
      guard state.written.count < Self.linesASecond else { return false }
      state.written.append(now)
      state.last[line.episode] = (line.bytes.bytes, now)
      return true
    }
  }
}

/// The progress of the work on an episode, for status displays; not part of any state.
package struct ProgressLine: Sendable, Equatable {
  /// The episode.
  package var episode: EpisodeID
  /// The name of the part that is being transferred; nil in lines of earlier versions.
  package var part: String?
  /// The number of bytes received of that part.
  package var bytes: ByteCount
  /// The size of the part in bytes, if known.
  package var total: ByteCount?
  /// The current transfer rate in bytes a second, if known.
  package var rate: ByteCount?
  /// The phase of the transfer; nil in lines of earlier versions.
  package var phase: ProgressPhase?
  /// The number of the attempt, starting at 1.
  package var attempt: Int64 = 1
  /// The process that works on it; meaningless once that process no longer holds the claim.
  package var worker: ProcessIdentity

  /// Creates progress that is to be recorded.
  package init(
    episode: EpisodeID, part: String? = nil, bytes: ByteCount, total: ByteCount?,
    rate: ByteCount?, worker: ProcessIdentity
  ) {
    self.episode = episode
    self.part = part
    self.bytes = bytes
    self.total = total
    self.rate = rate
    self.worker = worker
  }

  /// Reads a record of kind `progress`.
  ///
  /// - Throws: `store-damaged` if a field is missing or wrong.
  package init(_ record: StoredRecord) throws(Failure) {
    episode = try EpisodeID(record.id)
    let fields = FieldReader(record.fields, of: record.id)
    part = try fields.string("part")
    bytes = try fields.byteCount("bytes") ?? ByteCount(clamping: 0)
    total = try fields.byteCount("total")
    rate = try fields.byteCount("rate")
    phase = try fields.string("phase").flatMap { ProgressPhase(rawValue: $0) }
    attempt = max(1, try fields.integer("attempt") ?? 1)
    let worker = FieldReader(record.fields["worker"]?.object ?? JSONObject(), of: record.id)
    self.worker = ProcessIdentity(
      pid: Int32(truncatingIfNeeded: try worker.integer("pid") ?? 0),
      host: try worker.string("host") ?? "", boot: try worker.string("boot") ?? "",
      since: try worker.timestamp("since") ?? Timestamp(seconds: 0))
  }

  /// The record to store.
  package var record: StoredRecord {
    var who = JSONObject()
    who.append("pid", .integer(Int64(worker.pid)))
    who.append("host", worker.host)
    who.append("boot", worker.boot)
    who.append("since", worker.since.text)
    var fields = JSONObject()
    fields.append("part", part)
    fields.append("bytes", .integer(bytes.bytes))
    fields.append("total", total.map { .integer($0.bytes) })
    fields.append("rate", rate.map { .integer($0.bytes) })
    fields.append("phase", phase?.rawValue)
    fields.append("attempt", attempt == 1 ? nil : .integer(attempt))
    fields.append("worker", .object(who))
    return StoredRecord(kind: .progress, id: episode.description, fields: fields)
  }
}

/// The bytes received over a network, by month, as stored in its record.
package struct NetworkMonths: Sendable, Equatable {
  private var bytes: [String: Int64]
  /// The limit of a month's count: more than any network transfers, and small enough to be added
  /// to.
  private static let maxBytes: Int64 = 1 << 60

  /// Reads a record of kind `network`. Without a record the result is empty; months whose count is
  /// not a number are skipped.
  package init(of record: StoredRecord?) {
    let fields = record?.fields["months"]?.object?.fields ?? []
    bytes = Dictionary(
      fields.compactMap { field in
        field.value.integer.map { (field.key, min(max(0, $0), Self.maxBytes)) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// The bytes received in a month such as `2026-11`.
  package subscript(month: String) -> Int64 {
    get { bytes[month] ?? 0 }
    set { bytes[month] = newValue }
  }

  /// Returns the latest `count` months as fields, in ascending order.
  package func latest(_ count: Int) -> JSONObject {
    var kept = JSONObject()
    for month in bytes.keys.sorted().suffix(count) {
      kept.append(month, bytes[month].map { .integer($0) })
    }
    return kept
  }
}
