import SystemPackage
import VmxJSON
import VmxModel
import VmxSystem

// How a line gets into the store: under the write lock the file is looked at again (it may have
// been replaced), a torn end is cut, the change is applied to what is there now, and its lines are
// appended with one call. What was appended only in part is cut off again before the lock is let
// go. Readers never look at either, so nothing that they saw ever goes away.

/// Bytes of a file that somebody wants on the disk.
struct FlushTarget: Sendable {
  let file: StoreFile
  let upTo: Int
}

/// Appends to the store.
final class StoreWriter: Sendable {
  /// Bytes that stay allocated beyond the end of the store.
  static let reserve = 1 << 20

  /// What the writer remembers from one update to the next; only good under the write lock.
  private struct Memory: Sendable {
    var file: StoreFile?
    /// Bytes that this process has appended since it last asked for a compaction.
    var appended = 0
    /// The number of the last line before this bound.
    var lastSeq: Int64 = 0
    var bound = 0
    var reservedUpTo = 0
  }

  let home: LibraryHome
  let clock: any WallClock
  let disk: any StoreDisk
  let locks: StoreLocks
  let jobs: Jobs
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
    jobs = Jobs(locks)
    cache = IndexCache(home)
  }

  /// The store as it is now, opened for reading at least; nil where there is none.
  ///
  /// - Throws: `StoreError.storeGone` if there is none, or an empty one, although there is a
  ///   snapshot.
  func current(writable: Bool) throws(StoreError) -> StoreFile? {
    let (known, generation) = cache.current(at: home.store)
    if let known, !writable || known.isWritable { return known }
    if let file = try StoreFile.open(home.store, writable: writable, generation: generation) {
      guard file.facts.size == 0, try hasSnapshot() else { return file }
      throw .storeGone(home.store)
    }
    guard try !hasSnapshot() else { throw .storeGone(home.store) }
    return nil
  }

  /// Whether there was a store before: then an empty or absent one is damaged, not new.
  private func hasSnapshot() throws(StoreError) -> Bool {
    try StoreFile.open(home.snapshot, writable: false).map { $0.facts.size > 0 } ?? false
  }

  /// Applies a change to the store and appends its lines.
  ///
  /// - Returns: what the change returned, and what there is to flush.
  func update<R>(
    room: Room, _ change: (inout StoreTransaction) throws -> R
  ) throws -> (result: R, target: FlushTarget) {
    try retryingOverwritten {
      if let file = try current(writable: true).map(fileWithWholeHeader) {
        try restoreHeader(of: file)
        try catchUp(with: file)
      }
    }
    return try locks.whileWriting {
      let (file, image) = try retryingOverwritten {
        let file = try writableFile()
        return (file, try wholeImage(of: file))
      }
      let seq = lastSeq(of: image)
      guard seq < LineNumbers.largest else { throw StoreError.numbersExhausted(home.store) }
      let snapshot = StoreSnapshot(image, cache: cache)
      var transaction = StoreTransaction(on: snapshot, now: clock.now, firstSeq: seq + 1)
      let result = try change(&transaction)
      let bytes = try transaction.encode()
      if !bytes.isEmpty {
        try append(bytes, to: image, room)
        cache.remember(transaction.episodes, after: image)
        let end = image.bound + bytes.count
        let lines = Int64(transaction.lineCount)
        memory.withLock { memory in
          memory.lastSeq = seq + lines
          memory.bound = end
          memory.appended += bytes.count
        }
      }
      return (result, FlushTarget(file: file, upTo: image.bound + bytes.count))
    }
  }

  /// Runs a body again, once, where another program wrote over the store in place.
  func retryingOverwritten<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch StoreError.overwritten {
      return try body()
    }
  }

  /// Scans without the lock what others have appended, where there is an index or one is cheap, so
  /// that under the lock little is left to read.
  private func catchUp(with file: StoreFile) throws(StoreError) {
    cache.catchUp(with: try cache.image(of: file))
  }

  /// The store under the write lock; it is made if it is not there.
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
    let header = StoreHeader(library: StoreHeader.newUUID())
    do throws(FileError) {
      try AtomicFile.replace(home.store, with: line(of: header), durable: true)
    } catch {
      throw error.isFull ? .full(home.store, error.errno ?? .noSpace) : .file(error)
    }
  }

  /// The line of a header.
  func line(of header: StoreHeader) -> [UInt8] {
    var bytes: [UInt8] = []
    LineWriter.append(
      RecordKey(kind: .header, id: "store"), seq: 0, at: clock.now.text, fields: header.fields,
      to: &bytes)
    return bytes
  }
}

extension StoreWriter {
  /// Whether this process has appended so much that dead bytes may be many; it then counts anew.
  func hasGrown(by bytes: Int) -> Bool {
    memory.withLock { memory in
      guard memory.appended >= bytes else { return false }
      memory.appended = 0
      return true
    }
  }

  /// Forgets that room behind the end is allocated: cutting the file frees it.
  func forgetReserve() { memory.withLock { $0.reservedUpTo = 0 } }

  /// The highest number that a line of the image or before it ever had.
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
    return max(floor, LastLine.seq(of: image))
  }

  func append(
    _ bytes: [UInt8], to image: StoreImage, _ room: Room
  ) throws(StoreError) {
    do throws(StoreError) {
      try keepReserve(of: image, for: bytes.count)
    } catch {
      // What makes room may use the reserve up once no other room is left.
      if room == .keepReserve { throw error }
    }
    let problem: Errno
    do throws(Errno) {
      if try disk.append(bytes, to: image.file.file.descriptor) == bytes.count { return }
      problem = .noSpace
    } catch {
      problem = error
    }
    // What got in, if anything, counts for nobody. Should it not go away, the next writer cuts it.
    do throws(StoreError) { try cut(image.file, to: image.bound) } catch {}
    switch problem {
    case .noSpace, .diskQuotaExceeded, .fileTooLarge: throw .full(home.store, problem)
    default: throw .file(.failed(.write, home.store, problem))
    }
  }

  /// Makes sure that after so many bytes more there is still a reserve.
  private func keepReserve(of image: StoreImage, for count: Int) throws(StoreError) {
    let needed = image.bound + count + Self.reserve
    guard memory.withLock({ $0.reservedUpTo < needed }) else { return }
    do throws(Errno) {
      // Twice as much, so that not every update has to ask.
      try disk.reserve(
        image.file.file.descriptor, from: image.bound, count + 2 * Self.reserve)
      memory.withLock { $0.reservedUpTo = needed + Self.reserve }
    } catch {
      do throws(Errno) {
        try disk.reserve(image.file.file.descriptor, from: image.bound, count + Self.reserve)
      } catch {
        throw .full(home.store, error)
      }
    }
  }
}

extension FileError {
  /// Whether there is no room.
  var isFull: Bool { errno?.isNoRoom ?? false }
}

extension Errno {
  /// Whether there is no room.
  var isNoRoom: Bool { self == .noSpace || self == .diskQuotaExceeded }
}
