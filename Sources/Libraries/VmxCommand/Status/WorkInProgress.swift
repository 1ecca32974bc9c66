import VmxModel
import VmxPresentation
import VmxStore
import VmxSystem

/// The progress lines of the store, and which of them belong to a running worker.
///
/// A line whose claim is not held was left by a dead or interrupted fetcher, or by a fetcher that
/// has continued with another part. Such a line does not count as work. Claims are checked only for
/// lines that counted as work or are new. An old line cannot become work again without a new line.
struct WorkInProgress {
  /// A line with the time at which it was written.
  struct Entry: Equatable {
    let line: ProgressLine
    let at: Timestamp
  }

  private var entries: [EpisodeID: Entry] = [:]
  private var fresh: Set<EpisodeID> = []
  private(set) var working: Set<EpisodeID> = []

  /// Adds a record of kind `progress`; an unreadable record is ignored.
  mutating func add(_ record: StoredRecord) {
    guard let id = EpisodeID(valid: record.id) else { return }
    do throws(Failure) {
      let line = try ProgressLine(record)
      entries[id] = Entry(line: line, at: record.at ?? line.worker.since)
      fresh.insert(id)
    } catch {
      end(record.id)
    }
  }

  /// Removes the line of an episode.
  mutating func end(_ id: String) {
    guard let id = EpisodeID(valid: id) else { return }
    entries[id] = nil
    fresh.remove(id)
  }

  /// Determines again which lines count as work.
  ///
  /// - Parameters:
  ///   - held: the lines that counted as work before this poll, and whose claims were still held
  ///     then. A worker that ends normally deletes its line before it releases its claim, so it is
  ///     never reported as stopped.
  ///   - inWork: returns which claims are held now, for the lines that this poll has added.
  /// - Returns: the episodes that counted as work and no longer do, although their lines still
  ///   exist.
  mutating func evaluate(
    held: Set<EpisodeID>, _ inWork: (Set<EpisodeID>) throws -> Set<EpisodeID>
  ) rethrows -> [EpisodeID] {
    let now = try inWork(fresh.subtracting(held)).union(held).filter { entries[$0] != nil }
    let stopped = working.subtracting(now).filter { entries[$0] != nil }
    fresh = []
    working = now
    return stopped.sorted()
  }

  /// Returns the status item of an episode's line, even if the line does not count as work; nil
  /// without a line.
  func item(_ id: EpisodeID, now: Timestamp) -> StatusItem? {
    entries[id].map { StatusItem($0.line, at: $0.at, now: now) }
  }

  /// Returns the items that count as work, ordered by host, process and id.
  func items(now: Timestamp) -> [StatusItem] {
    working.compactMap { item($0, now: now) }.sorted { left, right in
      (left.host, left.pid, left.id) < (right.host, right.pid, right.id)
    }
  }
}

extension StatusItem {
  /// The age in milliseconds from which a rate is invalid, because a waiting worker writes no
  /// lines.
  private static let freshness: Int64 = 10_000

  /// Creates the item of a record of kind `progress`; nil if it is unreadable.
  init?(_ record: StoredRecord, now: Timestamp) {
    do throws(Failure) {
      let line = try ProgressLine(record)
      self.init(line, at: record.at ?? line.worker.since, now: now)
    } catch {
      return nil
    }
  }

  /// Creates the item of a progress line that was written at a time.
  init(_ line: ProgressLine, at: Timestamp, now: Timestamp) {
    let age = now.milliseconds - at.milliseconds
    let progress = ByteProgress(
      completedBytes: line.bytes.bytes, total: line.total?.bytes,
      rate: age > Self.freshness ? nil : line.rate?.bytes)
    self.init(id: line.episode.description, part: line.part, progress: progress, at: at)
    phase = line.phase
    attempt = line.attempt
    host = line.worker.host
    pid = line.worker.pid
    since = line.worker.since
  }
}
