package import VmxModel
package import VmxSystem

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
  /// The number of the attempt, starting at 1.
  package var attempt: Int64
  /// The process that works on it; meaningless once that process no longer holds the claim.
  package var worker: ProcessIdentity

  /// Creates progress that is to be recorded.
  package init(
    episode: EpisodeID, part: String? = nil, bytes: ByteCount, total: ByteCount?,
    rate: ByteCount?, attempt: Int64 = 1, worker: ProcessIdentity
  ) {
    self.episode = episode
    self.part = part
    self.bytes = bytes
    self.total = total
    self.rate = rate
    self.attempt = attempt
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
    fields.append("attempt", attempt == 1 ? nil : .integer(attempt))
    fields.append("worker", .object(who))
    return StoredRecord(kind: .progress, id: episode.description, fields: fields)
  }
}
