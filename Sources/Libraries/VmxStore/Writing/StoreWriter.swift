import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// To append lines, the writer opens the file again under the write lock, because it may have been
// replaced. It cuts a torn end, applies the change to the current records, and appends the lines
// with one call. Bytes of a partial append are cut off before the lock is released. Readers never
// read a torn end or a partial append, so no byte that they saw ever disappears.

/// A file and the number of its bytes that an update needs on the disk.
struct FlushTarget: Sendable {
  let file: StoreFile
  let endOffset: Int
}

/// Appends lines to the store.
final class StoreWriter: Sendable {
  /// The number of bytes that stay allocated after the end of the store: 1 MiB.
  static let reserve = 1 << 20

  /// The state kept between updates; valid only under the write lock.
  private struct Memory: Sendable {
    var file: StoreFile?
    /// The number of bytes that this process has appended since it last checked for dead bytes.
    var appended = 0
    /// The sequence number of the last line before this bound.
    var lastSeq: Int64 = 0
    var bound = 0
    var reservedUpTo = 0
  }

  let home: LibraryHome
  let clock: any WallClock
  let disk: any StoreDisk
  let locks: StoreLocks
  let heldLocks: HeldLocks
  let cache: IndexCache
  let flushed = Monitor(FlushState())
  let options: StoreOptions
  private let memory = Monitor(Memory())

  init(
    _ home: LibraryHome, options: StoreOptions, clock: any WallClock, disk: any StoreDisk,
    locks: StoreLocks
  ) {
    self.home = home
    self.options = options
    self.clock = clock
    self.disk = disk
    self.locks = locks
    heldLocks = HeldLocks(locks)
    cache = IndexCache(home, roots: options.roots)
  }

  /// Returns the store as it is now, open at least for reading; nil if there is none.
  ///
  /// - Throws: `StoreError.storeGone` if it is absent or empty although there is a snapshot,
  ///   `.storeLost` if it is absent or empty although a root has sidecars.
  func current(writable: Bool) throws(StoreError) -> StoreFile? {
    let (known, generation) = cache.current(at: home.store)
    if let known, !writable || known.isWritable { return known }
    if let file = try StoreFile.open(home.store, writable: writable, generation: generation) {
      if file.facts.size == 0 { try checkNew() }
      return file
    }
    try checkNew()
    return nil
  }

  /// Checks that neither a snapshot nor a root shows that an absent or empty store was lost.
  private func checkNew() throws(StoreError) {
    if try home.hasSnapshot() { throw .storeGone(home.store) }
    if let lost = home.lostRoot(among: options.roots) {
      throw .storeLost(home.store, root: lost.folder)
    }
  }

  /// Applies a change to the store and appends its lines.
  ///
  /// - Returns: the result of the change, and the bytes to flush.
  func update<R>(
    room: SpacePolicy, _ change: (inout StoreTransaction) throws -> R
  ) throws -> (result: R, target: FlushTarget) {
    try retryingOverwritten {
      if let file = try current(writable: true).map(fileWithCompleteHeader) {
        try restoreHeader(of: file)
        try catchUp(with: file)
      }
    }
    return try locks.withWriteLock {
      let (file, image) = try retryingOverwritten {
        let file = try writableFile()
        return (file, try completeImage(of: file))
      }
      let seq = lastSeq(of: image)
      guard seq < LineNumbers.maxNumber else { throw StoreError.numbersExhausted(home.store) }
      let snapshot = StoreSnapshot(image, cache: cache)
      var transaction = StoreTransaction(on: snapshot, now: clock.now, firstSeq: seq + 1)
      transaction.allowsRatingChanges = options.allowsRatingChanges()
      let result = try change(&transaction)
      transaction.addEvents(by: options.outbox())
      let bytes = try transaction.encode()
      if !bytes.isEmpty {
        try append(bytes, to: image, room)
        cache.store(transaction.episodes, after: image)
        let end = image.bound + bytes.count
        let lines = Int64(transaction.lineCount)
        memory.withLock { memory in
          memory.lastSeq = seq + lines
          memory.bound = end
          memory.appended += bytes.count
        }
      }
      return (result, FlushTarget(file: file, endOffset: image.bound + bytes.count))
    }
  }

  /// Runs a body, and runs it once more if another program overwrote the store in place.
  func retryingOverwritten<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch StoreError.overwritten {
      return try body()
    }
  }

  /// Indexes, without the write lock, the lines that other processes have appended, so that little
  /// remains to be read under the lock.
  private func catchUp(with file: StoreFile) throws(StoreError) {
    cache.catchUp(with: try cache.image(of: file))
  }

  /// Returns the store and creates it if it does not exist. The caller holds the write lock.
  func writableFile() throws(StoreError) -> StoreFile {
    var file = try current(writable: true)
    if file == nil || file?.facts.size == 0 {
      try create()
      file = try current(writable: true)
    }
    guard let file else { throw .headerLost(home.store) }
    guard let header = file.header else { throw .headerLost(home.store) }
    guard header.major == StoreHeader.major else {
      throw .tooOld(home.store, major: header.major)
    }
    return file
  }

  private func create() throws(StoreError) {
    let header = StoreHeader(library: randomUUID())
    try LibraryHome.replace(home.store, with: line(of: header))
  }

  /// Encodes the line of a header.
  func line(of header: StoreHeader) -> [UInt8] {
    var bytes: [UInt8] = []
    LineWriter.append(
      RecordKey(kind: .header, id: "store"), seq: 0, at: clock.now.text, fields: header.fields,
      to: &bytes)
    return bytes
  }
}

extension StoreWriter {
  /// Whether this process has appended the given number of bytes since the last time; then resets
  /// the count.
  func hasGrown(by bytes: Int) -> Bool {
    memory.withLock { memory in
      guard memory.appended >= bytes else { return false }
      memory.appended = 0
      return true
    }
  }

  /// Forgets that space after the end is allocated, because truncating the file frees it.
  func invalidateReserve() { memory.withLock { $0.reservedUpTo = 0 } }

  /// Returns the highest sequence number that any line up to the end of the image ever had.
  private func lastSeq(of image: StoreImage) -> Int64 {
    let floor = max(0, image.file.header?.seqFloor ?? 0)
    let known: Int64? = memory.withLock { memory in
      if !image.file.isSame(as: memory.file) {
        memory = Memory(file: image.file, appended: memory.appended)
      }
      return memory.bound == image.bound && image.bound > 0 ? memory.lastSeq : nil
    }
    if let known { return known }
    if let highest = cache.highestSeq(of: image) { return max(floor, highest) }
    return max(floor, LineNumbers.last(in: image))
  }

  func append(
    _ bytes: [UInt8], to image: StoreImage, _ room: SpacePolicy
  ) throws(StoreError) {
    do throws(StoreError) {
      try ensureReserve(of: image, for: bytes.count)
    } catch {
      // An update that frees space may use the reserve once no other space is left.
      if room == .keepReserve { throw error }
    }
    let problem: Errno
    do throws(Errno) {
      if try disk.append(bytes, to: image.file.file.descriptor) == bytes.count { return }
      problem = .noSpace
    } catch {
      problem = error
    }
    // Bytes of a partial append never take effect. If cutting them fails, the next writer cuts
    // them.
    do throws(StoreError) { try truncate(image.file, to: image.bound) } catch {}
    switch problem {
    case .noSpace, .diskQuotaExceeded, .fileTooLarge:
      throw .outOfSpace(home.store, problem, needed: bytes.count)
    default: throw .file(.failed(.write, home.store, problem))
    }
  }

  /// Allocates space so that the reserve remains after `count` more bytes.
  private func ensureReserve(of image: StoreImage, for count: Int) throws(StoreError) {
    let needed = image.bound + count + Self.reserve
    guard memory.withLock({ $0.reservedUpTo < needed }) else { return }
    do throws(Errno) {
      // Allocates twice the reserve, so that not every update has to allocate.
      try disk.reserve(
        image.file.file.descriptor, from: image.bound, count + 2 * Self.reserve)
      memory.withLock { $0.reservedUpTo = needed + Self.reserve }
    } catch {
      do throws(Errno) {
        try disk.reserve(image.file.file.descriptor, from: image.bound, count + Self.reserve)
      } catch {
        throw .outOfSpace(home.store, error, needed: count + Self.reserve)
      }
    }
  }
}

extension FileError {
  /// Whether the disk or the quota is full.
  var isFull: Bool { errno?.isOutOfSpace ?? false }
}

extension Errno {
  /// Whether the disk or the quota is full.
  var isOutOfSpace: Bool { self == .noSpace || self == .diskQuotaExceeded }
}
