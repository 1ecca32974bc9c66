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

extension StoreWriter {
  /// Bytes that must be dead before a compaction is worth its while.
  static let worthwhile = 4 << 20

  /// Whether enough of the store is dead.
  func isCompactionWorthwhile() throws -> Bool {
    guard let file = try current(writable: false), file.header?.major == StoreHeader.major else {
      return false
    }
    let image = try cache.image(of: file)
    return image.bound > Self.worthwhile && deadBytes(of: image) > Self.worthwhile
  }

  /// Compacts the store if enough of it is dead and nobody else is at it.
  ///
  /// - Returns: whether it was compacted.
  func compactIfWorthwhile() throws -> Bool {
    guard let file = try current(writable: true), file.header?.major == StoreHeader.major else {
      return false
    }
    let image = try cache.image(of: file)
    guard image.bound > Self.worthwhile, deadBytes(of: image) > Self.worthwhile,
      let job = try jobs.take(JobByte.compaction.rawValue)
    else { return false }
    defer { job.release() }
    return try compact(file)
  }

  /// Dead bytes as far as they are worth finding out: an index of a large store is not made for
  /// this alone, unless the store has doubled since it was last compacted.
  private func deadBytes(of image: StoreImage) -> Int {
    if !cache.hasIndex(of: image), image.bound > 16 << 20 {
      guard let live = image.file.header?.live, image.bound > 2 * Int(live) else { return 0 }
    }
    return cache.index(of: image, always: true)?.deadBytes ?? 0
  }

  /// Gives a store whose first line is broken a header again: that of the snapshot from before
  /// the last compaction, which is of the same library.
  func restoreHeader(of file: StoreFile) throws {
    guard file.facts.size > 0, file.header == nil else { return }
    guard let before = try StoreFile.open(home.snapshot, writable: false)?.header,
      let job = try jobs.take(JobByte.compaction.rawValue)
    else { throw StoreError.headerLost(home.store) }
    defer { job.release() }
    var header = before
    header.epoch += 1
    try compact(file, header: header)
  }

  /// Puts a fresh copy of what counts in the place of the store; the caller has the job lock.
  ///
  /// - Parameters:
  ///   - given: the header to go on from, where the file has none.
  ///   - puttingStrangeAside: whether lines that mean nothing to this version go aside too.
  ///   - replaced: broken lines that count no longer and are to be kept aside nevertheless.
  /// - Returns: false if the file is not the store any more.
  @discardableResult
  func compact(
    _ file: StoreFile, header given: StoreHeader? = nil, puttingStrangeAside: Bool = false,
    alsoAside replaced: [DamagedLine] = []
  ) throws -> Bool {
    guard file.isCurrent(at: home.store), var header = file.header ?? given else { return false }
    let image = try cache.image(of: file)
    guard let index = cache.index(of: image, always: true) else { return false }
    header.epoch += 1
    header.live = Int64(index.end - index.deadBytes)
    header.seqFloor = max(header.seqFloor, index.highestSeq)
    do {
      let copy = try CompactionCopy(
        home, header: line(of: header), puttingStrangeAside: puttingStrangeAside)
      for line in replaced { copy.keepAside(image.line(at: line.offset)) }
      try copy.copyLive(image, index)
      try flushFresh(copy)
      return try locks.whileWriting {
        guard file.isCurrent(at: home.store) else { return false }
        let whole = try wholeImage(of: file)
        try copy.copyTail(of: whole, from: image.bound)
        try replaceStore(by: copy)
        return true
      }
    } catch {
      // The reason is more worth telling than that the torn copy stays until the next time.
      _ = home.fresh.withPlatformString { unlink($0) }
      throw error
    }
  }

  private func flushFresh(_ copy: CompactionCopy) throws {
    do throws(Errno) {
      try disk.flush(copy.file.descriptor)
    } catch {
      throw StoreError.file(.failed(.sync, home.fresh, error))
    }
  }

  private func replaceStore(by copy: CompactionCopy) throws {
    try copy.keepDamaged()
    do throws(Errno) {
      try disk.reserve(copy.file.descriptor, from: copy.length, Self.reserve)
    } catch {
      // A full disk must not hinder what may make room; the next writer asks again.
    }
    try flushFresh(copy)
    try keepSnapshot()
    try renameReplacing(from: home.fresh, to: home.store)
    try syncFolder(home.folder)
  }

  /// Gives the old store its second name, in the place of the snapshot before.
  private func keepSnapshot() throws {
    let temporary = home.folder.appending("store.jsonl.1.new")
    _ = temporary.withPlatformString { unlink($0) }
    let linked = home.store.withPlatformString { old in
      temporary.withPlatformString { link(old, $0) }
    }
    if linked != 0 {
      // Some file systems have no links; there the snapshot is a copy.
      _ = try copyFile(from: home.store, to: temporary, mode: .ownerReadWrite)
    }
    try renameReplacing(from: temporary, to: home.snapshot)
  }
}
