package import VmxModel
import VmxSystem

/// The store of one library: JSON Lines, one whole record a line, the last line of a record wins.
///
/// Any number of processes may have it open. Readers take no lock; writers take turns for the
/// moment of an append. Any thread may call anything; calls block, so none belongs on Swift's own
/// pool. The store opens what it needs when it is first needed: a reader creates nothing.
package final class LibraryStore: Sendable {
  /// Where the library lies.
  package let home: LibraryHome
  /// Claims on episodes.
  package let claims: Claims
  let writer: StoreWriter
  private let flushing: GroupFlush<FlushTarget, StoreError>

  private init(_ home: LibraryHome, writer: StoreWriter) {
    self.home = home
    self.writer = writer
    claims = Claims(writer.locks)
    flushing = GroupFlush { targets throws(StoreError) in try writer.makeDurable(targets) }
  }

  /// Opens the store of a library, which need not be there yet.
  ///
  /// - Throws: `StoreError.onNetwork` if it lies on a network file system and that is not allowed.
  package static func open(
    _ home: LibraryHome, options: StoreOptions = StoreOptions(), clock: any WallClock,
    disk: any StoreDisk = KernelDisk()
  ) throws(StoreError) -> LibraryStore {
    let locks = StoreLocks(home, options: options, clock: clock)
    try locks.checkFileSystem()
    let writer = StoreWriter(home, options: options, clock: clock, disk: disk, locks: locks)
    return LibraryStore(home, writer: writer)
  }

  /// The library as it is at this moment; empty where there is no store.
  ///
  /// - Throws: `StoreError.file` if the store cannot be read, `.tooNew` if it is of a later
  ///   version, `.headerLost` if there was a store and it is gone.
  package func snapshot() throws(StoreError) -> StoreSnapshot {
    do throws(StoreError) {
      return try snapshotOnce()
    } catch {
      guard case .overwritten = error else { throw error }
      return try snapshotOnce()
    }
  }

  private func snapshotOnce() throws(StoreError) -> StoreSnapshot {
    guard let file = try writer.current(writable: false) else {
      return StoreSnapshot(nil, cache: writer.cache)
    }
    return StoreSnapshot(try writer.cache.image(of: file), cache: writer.cache)
  }

  /// Looks ahead for what an update is going to ask for, without the lock, so that under the lock
  /// only what others have appended meanwhile is read.
  ///
  /// It changes nothing but the time that the lock is held; failures show in the update.
  package func prepare(_ ids: [EpisodeID] = [], _ evidence: [IdentityKey] = []) throws(StoreError) {
    // What is indexed is found in no time, and what was appended since is little.
    guard !writer.cache.isIndexed else { return }
    let snapshot = try snapshot()
    if ids.count == 1 { snapshot.search(for: ids[0], evidence) }
    for id in ids { _ = try snapshot.episode(id) }
    _ = snapshot.find(evidence)
  }

  /// Looks ahead for an update that is going to ask for very many ids and pieces of evidence.
  package func prepareForMany() throws(StoreError) {
    guard !writer.cache.isIndexed else { return }
    let snapshot = try snapshot()
    guard let image = snapshot.image else { return }
    _ = writer.cache.evidence(of: image, snapshot.index(of: image))
  }

  /// Changes the store: the body sees it as it is under the write lock, and what it puts is
  /// appended with one call; several lines count together or not at all.
  ///
  /// - Parameters:
  ///   - durability: whether it returns only when the lines are on the disk. Even if nothing had
  ///     to be appended, what the body saw is then durable.
  ///   - room: whether the reserve for a full disk may be used.
  ///   - change: what to do; it must not wait for anything, and not update the store itself. If
  ///     it throws, nothing is appended.
  /// - Returns: what the body returns.
  /// - Throws: what the body throws, and `StoreError`: `.lock` after the time-out, `.full`,
  ///   `.notDurable`, `.tooOld`, `.headerLost`, `.file`.
  @discardableResult
  package func update<R>(
    _ durability: Durability, room: Room = .keepReserve,
    _ change: (inout StoreTransaction) throws -> R
  ) throws -> R {
    let (result, target) = try writer.update(room: room, change)
    if durability == .durable { try flushing.submit(target) }
    return result
  }

  /// Makes everything durable that was appended so far, by anyone.
  ///
  /// - Throws: `StoreError.notDurable`.
  package func flush() throws(StoreError) {
    guard let file = try writer.current(writable: true) else { return }
    try flushing.submit(FlushTarget(file: file, upTo: try file.size()))
  }

  /// Rewrites the store without what counts no longer, if that is more than 4 MiB and nobody else
  /// is at it. Never called by readers or at login.
  ///
  /// - Returns: whether it was rewritten.
  /// - Throws: `StoreError` or `FileError`; the store is then as it was.
  @discardableResult
  package func compactIfWorthwhile() throws -> Bool {
    try writer.compactIfWorthwhile()
  }

  /// Rewrites the store after each 32 MiB that this process has appended, if at least half of it
  /// is dead and nobody else is at it; for runs that append much to few records.
  ///
  /// A failure leaves the store as it was and is no failure of the run.
  package func compactIfOvergrown() {
    do {
      try writer.compactIfOvergrown()
    } catch {
      // The compaction at the end of the run, or of a later one, tries again.
    }
  }

  /// Whether a compaction would rewrite the store now; it may have become so, or not, a moment
  /// later.
  ///
  /// - Throws: `StoreError`.
  package func isCompactionWorthwhile() throws -> Bool {
    try writer.isCompactionWorthwhile()
  }

  /// Takes a job that only one process may do at a time; nil if another has it.
  ///
  /// - Throws: `StoreError.lock` or `.file` if there can be no locks.
  package func tryJob(_ job: JobByte) throws(StoreError) -> JobLock? {
    try writer.jobs.take(job.rawValue)
  }

  /// The users and passwords of the library.
  package var secrets: SecretStore { SecretStore(writer.locks) }

  /// The slots by which all processes keep limits of transfers together.
  package var slots: TransferSlots { TransferSlots(writer.jobs) }
}
