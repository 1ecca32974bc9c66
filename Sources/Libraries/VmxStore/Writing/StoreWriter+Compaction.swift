import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// Compaction, in two steps, by whoever has its job lock. First, without the write lock: the live
// lines are copied to a new file in the order in which their records first appeared, and flushed.
// Then, under the write lock: what was appended meanwhile is copied as it is, all is flushed, the
// old file gets the second name `store.jsonl.1`, the new one is renamed over the store, and the
// folder is flushed. The path is never absent. A crash before the rename leaves the old store and
// a file that the next compaction throws away; after it, the new store.
// A compaction takes from `store.jsonl.1` the records that the store has lost, and leaves that file
// in place if there were any: a damaged store never replaces a better snapshot.

extension StoreWriter {
  /// Bytes that must be dead before a compaction is worth its while.
  static let worthwhile = 4 << 20
  /// Bytes that one process appends before it looks whether most of the store is dead.
  static let growth = 32 << 20

  /// Whether enough of the store is dead.
  func isCompactionWorthwhile() throws -> Bool {
    guard let file = try current(writable: false), file.header?.major == StoreHeader.major else {
      return false
    }
    let image = try cache.image(of: file)
    return image.bound > Self.worthwhile && deadBytes(of: image) > Self.worthwhile
  }

  /// Compacts the store in the middle of a run that has appended much to it, if at least half of
  /// it is dead: so the work for compactions stays in proportion to what is appended.
  func compactIfOvergrown() throws {
    guard hasGrown(by: Self.growth), let file = try current(writable: false) else { return }
    try compactIfWorthwhile(beyond: max(Self.growth, try file.size()) / 2)
  }

  /// Compacts the store if enough of it is dead and nobody else is at it.
  ///
  /// - Parameter limit: so many bytes must be dead at least.
  /// - Returns: whether it was compacted.
  @discardableResult
  func compactIfWorthwhile(beyond limit: Int = worthwhile) throws -> Bool {
    guard let file = try current(writable: true), file.header?.major == StoreHeader.major else {
      return false
    }
    let image = try cache.image(of: file)
    guard image.bound > limit, deadBytes(of: image) > limit,
      let job = try jobs.take(JobByte.compaction.rawValue)
    else { return false }
    defer { job.release() }
    return try compact(file)
  }

  /// Dead bytes as far as they are worth finding out: an index of a large store is not made for
  /// this alone, unless the store has doubled since it was last compacted.
  private func deadBytes(of image: StoreImage) -> Int {
    if !cache.hasIndex(of: image), image.bound > 16 << 20 {
      guard let live = image.file.header?.live, Int64(image.bound / 2) > live else { return 0 }
    }
    return cache.index(of: image, always: true)?.deadBytes ?? 0
  }

  /// Gives a store whose first line is broken a header again: that of the snapshot from before
  /// the last compaction, which is of the same library.
  ///
  /// - Throws: `StoreError.headerLost` if there is no snapshot with a header,
  ///   `.recordsLost` if the snapshot holds more records than the store.
  func restoreHeader(of file: StoreFile) throws {
    guard file.facts.size > 0, file.header == nil else { return }
    guard let previous = try PreviousStore.open(home, beside: file),
      let header = previous.file.header
    else { throw StoreError.headerLost(home.store) }
    let image = try cache.image(of: file)
    let found = image.legibleRecords(cache.index(of: image, always: true) ?? StoreIndex())
    guard found >= previous.recordCount else {
      throw StoreError.recordsLost(home.store, found: found, snapshot: previous.recordCount)
    }
    guard let job = try jobs.take(JobByte.compaction.rawValue) else {
      throw StoreError.headerLost(home.store)
    }
    defer { job.release() }
    try compact(file, CompactionRequest(header: header))
  }

  /// Puts a fresh copy of what counts in the place of the store; the caller has the job lock.
  ///
  /// - Returns: false if the file is not the store any more.
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
    let header = header(after: known, image, index, previous, &request)
    do {
      let copy = try CompactionCopy(home, header: line(of: header), previous: previous, request)
      for line in request.replaced { copy.keepAside(image.line(at: line.offset)) }
      try copy.copyLive(image, index)
      try flushFresh(copy)
      let keeps = snapshot.map { isBetter($0, than: copy, of: file) } ?? false
      return try locks.whileWriting {
        guard file.isCurrent(at: home.store) else { return false }
        let whole = try wholeImage(of: file)
        try copy.copyTail(of: whole, from: image.bound)
        try replaceStore(by: copy, keepingSnapshot: keeps)
        return true
      }
    } catch {
      // The reason is more worth telling than that the torn copy stays until the next time.
      _ = home.fresh.withPlatformString { unlink($0) }
      throw error
    }
  }

  /// The header of the new file.
  private func header(
    after known: StoreHeader, _ image: StoreImage, _ index: StoreIndex, _ previous: PreviousStore?,
    _ request: inout CompactionRequest
  ) -> StoreHeader {
    var header = known
    // The snapshot that lends its header is one epoch behind the store that lost it.
    if image.file.header == nil { header.epoch = LineNumbers.epoch(after: header.epoch) }
    header.epoch = LineNumbers.epoch(after: header.epoch)
    header.live = Int64(index.end - index.deadBytes)
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

  /// Whether a snapshot has what the store had lost, and so must not be replaced by it.
  private func isBetter(
    _ snapshot: PreviousStore, than copy: CompactionCopy, of file: StoreFile
  ) -> Bool {
    if copy.recovered > 0 || file.facts.size == 0 { return true }
    let hasDamage = copy.hasDamage || file.header == nil
    return hasDamage && copy.recordCount < snapshot.recordCount
  }

  private func flushFresh(_ copy: CompactionCopy) throws {
    do throws(Errno) {
      try disk.flush(copy.file.descriptor)
    } catch {
      throw StoreError.file(.failed(.sync, home.fresh, error))
    }
  }

  private func replaceStore(by copy: CompactionCopy, keepingSnapshot: Bool) throws {
    try copy.keepDamaged()
    do throws(Errno) {
      try disk.reserve(copy.file.descriptor, from: copy.length, Self.reserve)
    } catch {
      // A full disk must not hinder what may make room; the next writer asks again.
    }
    try flushFresh(copy)
    if !keepingSnapshot { try keepSnapshot() }
    try renameReplacing(from: home.fresh, to: home.store)
    try syncFolder(home.folder)
  }

  /// Gives the old store its second name, in the place of the snapshot before.
  private func keepSnapshot() throws {
    let temporary = home.freshSnapshot
    _ = temporary.withPlatformString { unlink($0) }
    let linked = home.store.withPlatformString { old in
      temporary.withPlatformString { link(old, $0) }
    }
    if linked != 0 {
      // Some file systems have no links; there the snapshot is a copy.
      _ = try copyFile(from: home.store, to: temporary, mode: .ownerReadWrite)
    }
    try renameReplacing(from: temporary, to: home.snapshot)
    // A rename does nothing where both names lead to one file: a crash had left it so.
    _ = temporary.withPlatformString { unlink($0) }
  }
}
