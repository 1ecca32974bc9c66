import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// The progress lines of the store, and which of them somebody stands behind.
///
/// A line whose claim nobody holds is what a dead or interrupted fetcher left, or what one left that
/// has gone on to another part; it is not work. Only lines that were work or are fresh are asked
/// for: an old one becomes work no more without a new line.
struct WorkInProgress {
  /// A line with the moment in which it was written.
  struct Entry: Equatable {
    let line: ProgressLine
    let at: Timestamp
  }

  /// A rate that is older than this, in milliseconds, is none: who waits writes no lines.
  static let freshness: Int64 = 10_000

  private var entries: [EpisodeID: Entry] = [:]
  private var fresh: Set<EpisodeID> = []
  private(set) var working: Set<EpisodeID> = []

  /// Takes a record of kind `progress`; one that cannot be read is none.
  mutating func take(_ record: StoredRecord) {
    guard let id = EpisodeID(valid: record.id) else { return }
    do throws(Failure) {
      let line = try ProgressLine(record)
      entries[id] = Entry(line: line, at: record.at ?? line.worker.since)
      fresh.insert(id)
    } catch {
      end(record.id)
    }
  }

  /// Takes the end of one.
  mutating func end(_ id: String) {
    guard let id = EpisodeID(valid: id) else { return }
    entries[id] = nil
    fresh.remove(id)
  }

  /// Judges anew what is work.
  ///
  /// - Parameters:
  ///   - held: of those that were work before the store was looked at, which still had their claims.
  ///     Who ends well takes the line away first and lets go then, so that nobody seems to have
  ///     died who has not.
  ///   - inWork: tells which claims are held now, for lines that came with the look.
  /// - Returns: what was work and is no more, though its line is there.
  mutating func judge(
    held: Set<EpisodeID>, _ inWork: (Set<EpisodeID>) throws -> Set<EpisodeID>
  ) rethrows -> [EpisodeID] {
    let now = try inWork(fresh.subtracting(held)).union(held).filter { entries[$0] != nil }
    let stopped = working.subtracting(now).filter { entries[$0] != nil }
    fresh = []
    working = now
    return stopped.sorted()
  }

  /// What an episode's line says, whether or not it is work; nil if it has none.
  func item(_ id: EpisodeID, now: Timestamp) -> StatusItem? {
    guard let entry = entries[id] else { return nil }
    let line = entry.line
    let age = now.milliseconds - entry.at.milliseconds
    return StatusItem(
      id: id.description, part: line.part,
      headway: Headway(
        held: line.bytes.bytes, total: line.total?.bytes,
        rate: age > Self.freshness ? nil : line.rate?.bytes),
      attempt: line.attempt, host: line.worker.host, pid: line.worker.pid,
      since: line.worker.since, at: entry.at)
  }

  /// What is in work, by host, process and id.
  func items(now: Timestamp) -> [StatusItem] {
    working.compactMap { item($0, now: now) }.sorted { left, right in
      (left.host, left.pid, left.id) < (right.host, right.pid, right.id)
    }
  }
}
