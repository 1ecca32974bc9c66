package import SystemPackage
package import VmxModel
package import VmxSystem

/// The store of one library: JSON Lines, one complete record a line, the last line of a record
/// wins.
///
/// Any number of processes may have it open. Readers take no lock. Writers hold the write lock for
/// the duration of one append. All methods are thread-safe and block, so they must not run on
/// Swift's cooperative thread pool. Files are opened when they are first needed; a reader creates
/// none.
///
///     let store = try LibraryStore.open(home, clock: clock)
///     let episode = try store.snapshot().episode(id)
///     try store.update(.durable) { transaction in transaction.write(changed) }
package final class LibraryStore: Sendable {
  /// The size in bytes from which a store is assumed to have episodes, without reading it.
  private static let maxBytesWithoutEpisodes = 64 << 10

  /// The paths of the library.
  package let home: LibraryHome
  /// The claims of this process on episodes.
  package let claims: Claims
  let writer: StoreWriter
  /// The cached results of programs that keep secrets, by reference.
  let cachedSecrets = Monitor<[String: CachedSecret]>([:])
  private let flushing: GroupFlush<FlushTarget, StoreError>
  /// Whether changes are computed and discarded, for a dry run: `update` writes nothing.
  package let isDryRun: Bool

  private init(_ home: LibraryHome, writer: StoreWriter, isDryRun: Bool) {
    self.home = home
    self.writer = writer
    self.isDryRun = isDryRun
    claims = Claims(writer.heldLocks)
    flushing = GroupFlush { targets throws(StoreError) in try writer.makeDurable(targets) }
  }

  /// Opens the store of a library, which need not exist yet.
  ///
  /// - Throws: `StoreError.onNetwork` if it is on a network file system and the options do not
  ///   allow that.
  package static func open(
    _ home: LibraryHome, options: StoreOptions = StoreOptions(), clock: any WallClock,
    disk: any StoreDisk = KernelDisk()
  ) throws(StoreError) -> LibraryStore {
    let locks = StoreLocks(home, options: options, clock: clock)
    try locks.checkFileSystem()
    let writer = StoreWriter(home, options: options, clock: clock, disk: disk, locks: locks)
    return LibraryStore(home, writer: writer, isDryRun: options.isDryRun)
  }

  /// The same store for a dry run.
  package var dryRun: LibraryStore {
    isDryRun ? self : LibraryStore(home, writer: writer, isDryRun: true)
  }

  /// Returns the library as it is now; empty if there is no store.
  ///
  /// - Throws: `StoreError.file` if the store cannot be read, `.tooNew` if a later version wrote
  ///   it, `.storeGone` or `.storeLost` if there was a store and it is gone.
  package func snapshot() throws(StoreError) -> StoreSnapshot {
    do throws(StoreError) {
      return try snapshotOnce()
    } catch {
      guard case .overwritten = error else { throw error }
      return try snapshotOnce()
    }
  }

  /// Returns the library as it is now: the given snapshot if the store has not changed since.
  ///
  /// - Throws: as `snapshot`.
  package func snapshot(after earlier: StoreSnapshot) throws(StoreError) -> StoreSnapshot {
    let fresh = try snapshot()
    return fresh.isSame(as: earlier) ? earlier : fresh
  }

  private func snapshotOnce() throws(StoreError) -> StoreSnapshot {
    guard let file = try writer.current(writable: false) else {
      return StoreSnapshot(nil, cache: writer.cache)
    }
    return StoreSnapshot(try writer.cache.image(of: file), cache: writer.cache)
  }

  /// Checks that a store without episodes belongs to a new library.
  ///
  /// - Throws: `StoreError.storeLost` if a root with sidecars of episodes has no record in the
  ///   store, and the errors of `snapshot`.
  package func checkNotLost() throws(StoreError) {
    let snapshot = try snapshot()
    guard let image = snapshot.image, image.size < Self.maxBytesWithoutEpisodes,
      !snapshot.hasEpisodes,
      let lost = home.lostRoot(among: writer.options.roots, unknownTo: snapshot)
    else { return }
    throw .storeLost(home.store, root: lost.folder)
  }

  /// Reads ahead, without the write lock, the records that the next update will need. Under the
  /// lock only lines appended since then remain to be read.
  ///
  /// This only shortens the time for which the lock is held. The update repeats any error that
  /// affects it.
  package func prepare(_ ids: [EpisodeID] = [], _ evidence: [IdentityKey] = []) throws(StoreError) {
    // With an index look-ups are fast, and few bytes were appended since it was built.
    guard !writer.cache.isIndexed else { return }
    let snapshot = try snapshot()
    if ids.count == 1 { snapshot.search(for: ids[0], evidence) }
    for id in ids { _ = try snapshot.episode(id) }
    _ = snapshot.find(evidence)
  }

  /// The maximum number of episodes that an update looks up faster without an index.
  package static let maxUnindexedLookups = 4

  /// Builds the index for an update that will look up more than `maxUnindexedLookups` episodes.
  package func prepareForMany() throws(StoreError) {
    guard !writer.cache.isIndexed else { return }
    let snapshot = try snapshot()
    guard let image = snapshot.image else { return }
    _ = writer.cache.identityIndex(of: image, snapshot.index(of: image))
  }

  /// Changes the store under the write lock. The body reads the store as it is then. All its lines
  /// are appended with one call, and several lines take effect together or not at all.
  ///
  /// In a dry run, the change is applied to the library as it is now and discarded: nothing is
  /// written, no lock is acquired.
  ///
  /// - Parameters:
  ///   - durability: whether the call returns only when the lines are on the disk. Even if nothing
  ///     was appended, everything that the body read is then durable.
  ///   - room: whether the reserve for a full disk may be used.
  ///   - change: the change, which sees its own writes; it must not block and must not call
  ///     `update`. If it throws, nothing is appended.
  /// - Returns: the result of the body.
  /// - Throws: the errors of the body, and `StoreError`: `.lock` after the timeout, `.full`,
  ///   `.notDurable`, `.tooOld`, `.headerLost`, `.file`.
  @discardableResult
  package func update<R>(
    _ durability: Durability, room: SpacePolicy = .keepReserve,
    _ change: (inout StoreTransaction) throws -> R
  ) throws -> R {
    if isDryRun {
      var transaction = StoreTransaction(on: try snapshot(), now: writer.clock.now, firstSeq: 0)
      transaction.allowsRatingChanges = writer.options.allowsRatingChanges()
      return try change(&transaction)
    }
    let (result, target) = try writer.update(room: room, change)
    if durability == .durable { try flushing.submit(target) }
    return result
  }

  /// Makes all lines durable that any process has appended so far.
  ///
  /// - Throws: `StoreError.notDurable`.
  package func flush() throws(StoreError) {
    guard let file = try writer.current(writable: true) else { return }
    try flushing.submit(FlushTarget(file: file, endOffset: try file.size()))
  }

  /// Compacts the store if more than 4 MiB of it are dead and no other process is compacting it.
  /// Readers and the login run never call it.
  ///
  /// - Returns: whether the store was compacted.
  /// - Throws: `StoreError` or `FileError`; the store is then unchanged.
  @discardableResult
  package func compactIfNeeded() throws -> Bool {
    try writer.compactIfNeeded()
  }

  /// Compacts the store after each 32 MiB that this process has appended, for runs that append many
  /// lines to few records.
  ///
  /// It does so only if at least half of the store is dead and no other process is compacting it.
  ///
  /// Ignores failures: the store is then unchanged.
  package func compactIfOvergrown() {
    do {
      try writer.compactIfOvergrown()
    } catch {
      // The compaction at the end of this run or of a later one tries again.
    }
  }

  /// Whether a compaction would rewrite the store now. Another process may change that at any
  /// moment.
  ///
  /// - Throws: `StoreError`.
  package func needsCompaction() throws -> Bool {
    try writer.needsCompaction()
  }

  /// Acquires the lock of a job that only one process may do at a time; nil if another process
  /// holds it.
  ///
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func tryJob(_ job: JobByte) throws(StoreError) -> ByteLock? {
    try writer.heldLocks.acquire(job)
  }

  /// Acquires the lock of a job, waiting for another process to release it. Only for the jobs whose
  /// holders acquire no further lock but the write lock (`StoreLocks`).
  ///
  /// - Throws: `lock-busy` after the timeout of the write lock; `WorkEnded.interrupted` after a
  ///   request to stop; `StoreError.lock` or `.file` if the lock file cannot be used.
  package func waitForJob(_ job: JobByte) throws -> ByteLock { try writer.heldLocks.wait(for: job) }

  /// A wait for a lock outside the lock file, with the timeout of the locks of the store. It begins
  /// when this property is read.
  package var lockWait: LockWait { writer.options.lockWait }

  /// Returns a wait that begins now and ends at a request to stop.
  package func lockWait(milliseconds: Int64) -> LockWait {
    LockWait(milliseconds: milliseconds, shouldStop: writer.options.shouldStop)
  }

  /// The time that a line would have now.
  package var now: Timestamp { writer.clock.now }

  /// Whether the age ratings of existing episodes may be changed: parental control does not apply.
  package var allowsRatingChanges: Bool { writer.options.allowsRatingChanges() }

  /// The store of user names and passwords.
  package var secrets: SecretStore { SecretStore(self) }

  /// The lock slots by which all processes together limit the number of transfers.
  package var slots: TransferSlots { TransferSlots(writer.heldLocks) }
}

/// The options with which a store is opened.
package struct StoreOptions: Sendable {
  /// The timeout of a wait for a lock, in milliseconds.
  package var lockTimeout: Int64 = 10_000
  /// Whether the user has requested a stop; waits for locks then end early.
  package var shouldStop: @Sendable () -> Bool = { false }
  /// Whether the age ratings of existing episodes may be changed: parental control does not apply.
  package var allowsRatingChanges: @Sendable () -> Bool = { true }
  /// The backends that are notified of the steps of episodes.
  package var outbox: @Sendable () -> OutboxRule = { OutboxRule() }
  /// The rule for where new secrets are stored.
  package var secrets = SecretRule()
  /// Whether a network file system is accepted (`core.network-store`).
  package var allowsNetwork = false
  /// Whether the run only reports what it would change (`LibraryStore.isDryRun`).
  package var isDryRun = false
  /// The configured folders of roots, besides the default one (`library.root`).
  package var roots: [FilePath] = []

  /// Creates the default options.
  package init() {}

  /// A wait for a lock, which begins when this property is read.
  var lockWait: LockWait { LockWait(milliseconds: lockTimeout, shouldStop: shouldStop) }
}

/// The guarantee of an update when it returns.
package enum Durability: Sendable {
  /// The lines are on the disk.
  case durable
  /// The lines reach the disk soon, or with the next durable update or flush.
  case soon
}

/// The share of a nearly full disk that an update may use.
package enum SpacePolicy: Sendable {
  /// A reserve of 1 MiB after the end of the store stays allocated.
  case keepReserve
  /// The reserve may be used: for updates that free space, or that must be recorded in any case.
  case useReserve
}
