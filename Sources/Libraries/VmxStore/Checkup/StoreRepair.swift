import Glibc
import SystemPackage
package import VmxModel
import VmxSystem

// A repair loses no data: unreadable lines move to `store.damaged`, and the previous store is kept
// as `store.jsonl.1`. Each step may be interrupted at any call and repeated.

/// Repairs the problems that a diagnosis found.
package struct StoreRepair: Sendable {
  private let store: LibraryStore
  private let libraryID: @Sendable (StoreSnapshot) -> LibraryIDSource

  /// Prepares the repair of a library.
  ///
  /// - Parameter libraryID: returns the library's UUID for a store that has lost its header.
  package init(
    _ store: LibraryStore, libraryID: @escaping @Sendable (StoreSnapshot) -> LibraryIDSource
  ) {
    self.store = store
    self.libraryID = libraryID
  }

  /// Repairs, durably, all findings that can be repaired. The next diagnosis reports the rest.
  ///
  /// - Returns: the failures of single steps; the other steps are done nevertheless.
  package func repair(_ findings: [Finding]) -> [Failure] {
    let checks = Set(findings.filter(\.isRepairable).map(\.check))
    var failures: [Failure] = []
    func step(_ wanted: Set<HealthCheck>, _ body: () throws -> Void) {
      guard !checks.isDisjoint(with: wanted) else { return }
      do { try body() } catch { failures.append(Failure(error)) }
    }
    step([.permissions], setModes)
    step([.home], store.writer.removeTemporaryFiles)
    // A store without a header, or of another format, is not written to.
    if findings.contains(where: {
      $0.check == .header && $0.severity == .problem && !$0.isRepairable
    }
    ) {
      return failures
    }
    var request = CompactionRequest()
    request.movesUnknownLines = true
    if checks.contains(.clock) { request.times = TimeCorrection(now: store.writer.clock.now) }
    var isCompacted = false
    step([.header]) { isCompacted = try restoreHeader(request) }
    step([.end]) { try store.writer.finishTail() }
    step([.lines, .order, .snapshot, .clock]) {
      if !isCompacted { try store.writer.compactNow(request) }
    }
    step([.aliases], removeCircles)
    return failures
  }

  private func setModes() throws {
    for path in StoreDiagnosis.privatePaths(of: store.home) {
      guard let facts = try FileFacts.of(path), !facts.isLink else { continue }
      let own = facts.permissions.intersection(.ownerReadWriteExecute).union(.ownerWrite)
      guard own != facts.permissions else { continue }
      if path.withPlatformString({ chmod($0, own.rawValue) }) != 0 {
        throw StoreError.file(.failed(.open, path, .last))
      }
    }
  }

  /// Restores the header of the store, and its records if they are gone.
  ///
  /// - Returns: whether this compacted the store.
  private func restoreHeader(_ request: CompactionRequest) throws -> Bool {
    let writer = store.writer
    if try StoreFile.open(store.home.store, writable: false) == nil { try writer.restoreSnapshot() }
    guard let file = try StoreFile.open(store.home.store, writable: true),
      try writer.fileWithCompleteHeader(file).header == nil
    else { return false }
    var request = request
    request.header = try header(
      for: StoreSnapshot(try StoreImage(of: file), cache: IndexCache(store.home)))
    try writer.compactNow(request)
    return true
  }

  /// Returns the header to write.
  ///
  /// It is a header found elsewhere in the store, else that of the snapshot file. Otherwise it is a
  /// new one with the UUID that the marks of the roots contain.
  private func header(for snapshot: StoreSnapshot) throws(StoreError) -> StoreHeader {
    if let image = snapshot.image, let header = LineStatistics(of: image, damage: []).header {
      return header
    }
    if let header = try StoreFile.open(store.home.snapshot, writable: false)?.header {
      return header
    }
    switch libraryID(snapshot) {
    case .found(let library): return StoreHeader(library: library)
    case .free: return StoreHeader(library: randomUUID())
    case .hidden: throw .headerLost(store.home.store)
    }
  }

  private func removeCircles() throws {
    try store.update(.durable, room: .useReserve) { transaction in
      for id in transaction.snapshot.aliasCircles.joined() {
        transaction.delete(.alias, id)
      }
    }
  }
}

extension StoreWriter {
  /// Compacts the store even if little of it is dead, and waits for a compaction that another
  /// process is running.
  ///
  /// If a later version has written to the store, lines that are valid JSON but unknown stay in it.
  ///
  /// - Throws: `StoreError` or `FileError`; the store is then unchanged.
  func compactNow(_ request: CompactionRequest = CompactionRequest()) throws {
    let job = try heldLocks.wait(for: .compaction)
    defer { job.release() }
    guard let file = try StoreFile.open(home.store, writable: true) else { return }
    guard let known = file.header ?? request.header else { throw StoreError.headerLost(home.store) }
    guard known.major == StoreHeader.major else {
      throw StoreError.tooOld(home.store, major: known.major)
    }
    var request = request
    if known.minor > StoreHeader.minor { request.movesUnknownLines = false }
    let image = try cache.image(of: file)
    let damage = StoreSnapshot(image, cache: cache).damage
    request.replaced = LineStatistics(of: image, damage: damage).replaced.map(\.line)
    try compact(file, request)
  }

  /// Restores the store from the snapshot if the store is gone.
  ///
  /// - Throws: `StoreError` or `FileError`; a store that another process has created since then is
  ///   not changed.
  func restoreSnapshot() throws {
    let job = try heldLocks.wait(for: .compaction)
    defer { job.release() }
    _ = home.compactedStore.withPlatformString { unlink($0) }
    _ = try copyFile(from: home.snapshot, to: home.compactedStore, mode: .ownerReadWrite)
    let copy = try OpenFile(home.compactedStore, .readWrite)
    try fullSync(copy.descriptor, of: home.compactedStore)
    try locks.withWriteLock {
      try renameNoReplace(from: home.compactedStore, to: home.store)
      try syncFolder(home.folder)
    }
  }

  /// Removes the temporary files that a crash left in the home.
  ///
  /// - Throws: `StoreError` or `FileError`.
  func removeTemporaryFiles() throws {
    let job = try heldLocks.wait(for: .compaction)
    defer { job.release() }
    try locks.withWriteLock { try LibraryHome.remove(drafts: try home.temporaryFiles()) }
  }
}
