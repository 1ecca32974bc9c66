import VmxModel
import VmxStore
import VmxSystem

/// One change of a library.
public enum Change: Sendable, Hashable {
  /// An episode was added or changed; the value is what it is now.
  case updated(Episode)
  /// The episode of this id, which a snapshot or an earlier change contained, is no longer in the
  /// library.
  case removed(Episode.ID)
}

/// The changes of a library after a snapshot, one by one, in the order in which they were written.
///
/// Changes that are not yet taken wait in memory. Each iterator begins at the snapshot.
public struct Changes: AsyncSequence, Sendable {
  let reader: EpisodeReader
  let snapshot: Snapshot

  /// The position in the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var stream: AsyncThrowingStream<Change, any Error>.Iterator

    /// Waits for the next change; returns nil once the task is cancelled.
    ///
    /// - Throws: ``LibraryError`` if the store cannot be read any more.
    public mutating func next() async throws -> Change? { try await stream.next() }
  }

  /// Begins to follow the library.
  public func makeAsyncIterator() -> AsyncIterator {
    let stream = AsyncThrowingStream<Change, any Error> { [reader, snapshot] continuation in
      let hasEnded = Monitor(false)
      continuation.onTermination = { _ in hasEnded.withLock { $0 = true } }
      do {
        _ = try WorkerThread.start("vmx-changes") {
          do {
            var known = Set(snapshot.episodes.map(\.id.hashValue))
            let follower = StoreFollower(reader.store, after: snapshot.store)
            repeat {
              for change in try Self.changes(of: follower, reader, &known) {
                continuation.yield(change)
              }
            } while !hasEnded.wait(milliseconds: StoreFollower.interval, until: { $0 })
          } catch {
            continuation.finish(throwing: LibraryError(error))
          }
        }
      } catch {
        continuation.finish(throwing: LibraryError(error))
      }
    }
    return AsyncIterator(stream: stream.makeAsyncIterator())
  }

  /// Returns the changes since the last call.
  ///
  /// - Parameter known: the hashes of the ids that the caller has seen; the ids themselves would
  ///   take five times the memory.
  private static func changes(
    of follower: StoreFollower, _ reader: EpisodeReader, _ known: inout Set<Int>
  ) throws -> [Change] {
    var found: [StoreChange] = []
    try follower.forEachChange(where: { kind, _, _ in kind == .episode }) { found.append($0) }
    guard !found.isEmpty else { return [] }
    let rule = reader.rule()
    return found.compactMap { change in
      switch change.content {
      case .episode(let episode):
        guard rule.allows(episode, in: follower.snapshot) else { return nil }
        known.insert(change.id.hashValue)
        return .updated(Episode(episode))
      case .removed: return known.remove(change.id.hashValue).map { _ in .removed(change.id) }
      case .record: return nil
      }
    }
  }
}
