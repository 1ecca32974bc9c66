import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// A compaction runs in two steps in the process that holds the compaction lock. The first step
// needs no write lock. It copies the live lines to a new file, in the order in which their records
// first appeared, and flushes it. The second step runs under the write lock. It copies the lines
// appended meanwhile unchanged and flushes the file. The old file gets the second name
// `store.jsonl.1`, and the new one is renamed over the store. Then the folder is flushed. The path
// is never absent. A crash before the rename leaves the old store and a file that the next
// compaction removes; a crash after it leaves the new store.
//
// A compaction recovers from `store.jsonl.1` the records that the store has lost. If there were
// any, it keeps that file: a damaged store never replaces a better snapshot.

extension StoreWriter {
  /// The number of bytes that must be dead before a compaction is worthwhile: 4 MiB.
  static let minDeadBytes = 4 << 20
  /// The number of bytes that a process appends before it checks whether most of the store is dead:
  /// 32 MiB.
  static let growth = 32 << 20

  /// Whether enough of the store is dead.
  func needsCompaction() throws -> Bool {
    guard let file = try current(writable: false), file.header?.major == StoreHeader.major else {
      return false
    }
    let image = try cache.image(of: file)
    return image.bound > Self.minDeadBytes && deadBytes(of: image) > Self.minDeadBytes
  }

  /// Compacts the store during a run that has appended much to it, if at least half of it is dead.
  /// So the cost of compactions stays proportional to the bytes appended.
  func compactIfOvergrown() throws {
    guard hasGrown(by: Self.growth), let file = try current(writable: false) else { return }
    try compactIfNeeded(beyond: max(Self.growth, try file.size()) / 2)
  }

  /// Compacts the store if enough of it is dead and no other process is compacting it.
  ///
  /// - Parameter limit: the number of bytes that must be dead.
  /// - Returns: whether the store was compacted.
  @discardableResult
  func compactIfNeeded(beyond limit: Int = minDeadBytes) throws -> Bool {
    guard let file = try current(writable: true), file.header?.major == StoreHeader.major else {
      return false
    }
    let image = try cache.image(of: file)
    guard image.bound > limit, deadBytes(of: image) > limit,
      let job = try heldLocks.acquire(.compaction)
    else { return false }
    defer { job.release() }
    return try compact(file)
  }

  /// Returns the number of dead bytes, or 0 if it is not worth counting them. A large store is
  /// indexed for this only if it has doubled since its last compaction.
  private func deadBytes(of image: StoreImage) -> Int {
    if !cache.hasIndex(of: image), image.bound > 16 << 20 {
      guard let live = image.file.header?.liveBytes, Int64(image.bound / 2) > live else { return 0 }
    }
    return cache.index(of: image, always: true)?.deadBytes ?? 0
  }

  /// Restores the header of a store whose first line is broken, from the snapshot before the last
  /// compaction, which belongs to the same library.
  ///
  /// - Throws: `StoreError.headerLost` if there is no snapshot with a header, `.recordsLost` if the
  ///   snapshot has more records than the store.
  func restoreHeader(of file: StoreFile) throws {
    guard file.facts.size > 0, file.header == nil else { return }
    guard let previous = try PreviousStore.open(home, beside: file),
      let header = previous.file.header
    else { throw StoreError.headerLost(home.store) }
    let image = try cache.image(of: file)
    let found = image.readableRecordCount(cache.index(of: image, always: true) ?? StoreIndex())
    guard found >= previous.recordCount else {
      throw StoreError.recordsLost(home.store, found: found, snapshot: previous.recordCount)
    }
    guard let job = try heldLocks.acquire(.compaction) else {
      throw StoreError.headerLost(home.store)
    }
    defer { job.release() }
    try compact(file, CompactionRequest(header: header))
  }

  /// Replaces the store by a new copy of its current lines. The caller holds the compaction lock.
  ///
  /// - Returns: false if the file is no longer the store.
  @discardableResult
  func compact(
    _ file: StoreFile, _ request: CompactionRequest = CompactionRequest()
  ) throws -> Bool {
    guard file.isCurrent(at: home.store), let known = file.header ?? request.header else {
      return false
    }
    let image = try cache.image(of: file)
    guard let index = cache.index(of: image, always: true) else { return false }
    let snapshot = try PreviousStore.open(home, beside: file)
    let previous = snapshot.flatMap { $0.precedes(file.header) ? $0 : nil }
    var request = request
    let header = header(
      after: known, of: image, index: index, previous: previous, request: &request)
    do {
      let copy = try CompactionCopy(home, header: line(of: header), previous: previous, request)
      for line in request.replaced { copy.collectDamaged(image.line(at: line.offset)) }
      try copy.copyLive(image, index)
      try flush(copy.file)
      let keeps = snapshot.map { isBetter($0, than: copy, of: file) } ?? false
      return try locks.withWriteLock {
        guard file.isCurrent(at: home.store) else { return false }
        let whole = try completeImage(of: file)
        try copy.copyTail(of: whole, from: image.bound)
        try replaceStore(by: copy, keepingSnapshot: keeps)
        return true
      }
    } catch {
      // The original error matters more than a failure to remove the copy, which the next
      // compaction removes.
      _ = home.compactedStore.withPlatformString { unlink($0) }
      throw error
    }
  }

  /// Returns the header of the new file.
  private func header(
    after known: StoreHeader, of image: StoreImage, index: StoreIndex, previous: PreviousStore?,
    request: inout CompactionRequest
  ) -> StoreHeader {
    var header = known
    // A header from the snapshot is one epoch behind the store that lost its own.
    if image.file.header == nil { header.epoch = LineNumbers.epoch(after: header.epoch) }
    header.epoch = LineNumbers.epoch(after: header.epoch)
    header.liveBytes = Int64(index.end - index.deadBytes)
    let numbers = [header.seqFloor, index.highestSeq, previous?.highestSeq ?? 0]
    header.seqFloor = max(0, numbers.max() ?? 0)
    if header.seqFloor > LineNumbers.plausible {
      let plausible = numbers.filter { $0 <= LineNumbers.plausible }.max() ?? 0
      let highest = max(0, plausible, LineNumbers.highestPlausible(in: image))
      request.firstSeq = highest + 1
      header.seqFloor = highest + Int64(index.count)
    }
    return header
  }

  /// Whether the snapshot has records that the store had lost, so that it must be kept.
  private func isBetter(
    _ snapshot: PreviousStore, than copy: CompactionCopy, of file: StoreFile
  ) -> Bool {
    if copy.recovered > 0 || file.facts.size == 0 { return true }
    let hasDamage = copy.hasDamage || file.header == nil
    return hasDamage && copy.recordCount < snapshot.recordCount
  }

  private func flush(_ file: borrowing OpenFile) throws(StoreError) {
    do throws(Errno) {
      try disk.flush(file.descriptor)
    } catch {
      throw .file(.failed(.sync, file.path, error))
    }
  }

  private func replaceStore(by copy: CompactionCopy, keepingSnapshot: Bool) throws {
    try copy.appendDamaged()
    do throws(Errno) {
      try disk.reserve(copy.file.descriptor, from: copy.length, Self.reserve)
    } catch {
      // A full disk must not prevent a compaction that may free space; the next writer allocates
      // again.
    }
    try flush(copy.file)
    if !keepingSnapshot { try keepSnapshot() }
    try renameReplacing(from: home.compactedStore, to: home.store)
    try syncFolder(home.folder)
  }

  /// Creates a second hard link of the old store, which replaces the previous snapshot.
  private func keepSnapshot() throws {
    let temporary = home.newSnapshot
    _ = temporary.withPlatformString { unlink($0) }
    do throws(Errno) {
      try disk.link(home.store, to: temporary)
    } catch {
      // Some file systems have no hard links; there the snapshot is a copy. The previous snapshot
      // is needed until the copy is durable.
      _ = try copyFile(from: home.store, to: temporary, mode: .ownerReadWrite)
      try flush(try OpenFile(temporary, .readOnly))
    }
    try renameReplacing(from: temporary, to: home.snapshot)
    // A rename does nothing if both names refer to one file, which a crash can leave behind.
    _ = temporary.withPlatformString { unlink($0) }
  }
}

/// The changes that a compaction makes in addition to copying the current lines.
struct CompactionRequest {
  /// The header to continue from if the file has none.
  var header: StoreHeader?
  /// Whether valid JSON lines that this version cannot interpret move to `store.damaged` too.
  var movesUnknownLines = false
  /// The broken lines that are no longer current and move to `store.damaged` too.
  var replaced: [DamagedLine] = []
  /// The correction of times that a wrong clock has written; nil to keep all times.
  var times: TimeCorrection?
  /// The first of the new sequence numbers for lines whose own is not plausible.
  var firstSeq: Int64?
}
