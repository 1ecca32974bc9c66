import SystemPackage
import VmxSystem

// The kernel reports a failed flush once and then regards the pages as written. So a file whose
// flush has failed is never flushed again. Its content is copied from memory to a new file, which
// replaces it once it is on the disk.

/// The part of the store that is known to be on the disk.
struct FlushState: Sendable {
  var file: StoreFile?
  var endOffset = 0
  /// The file whose flush failed.
  var failed: StoreFile?
}

extension StoreWriter {
  /// Makes all lines durable that a group of updates appended.
  ///
  /// - Throws: `StoreError.notDurable` if neither the store nor a new copy could be flushed.
  func makeDurable(_ targets: [FlushTarget]) throws(StoreError) {
    var rest = targets
    while let target = rest.popLast() {
      let same = rest.filter { $0.file.isSame(as: target.file) }
      rest.removeAll { $0.file.isSame(as: target.file) }
      let upTo = same.reduce(target.endOffset) { max($0, $1.endOffset) }
      try makeDurable(FlushTarget(file: target.file, endOffset: upTo))
    }
  }

  private func makeDurable(_ target: FlushTarget) throws(StoreError) {
    let isDone = flushed.withLock {
      target.file.isSame(as: $0.file) && $0.endOffset >= target.endOffset
    }
    if isDone { return }
    guard flushed.withLock({ !target.file.isSameInode(as: $0.failed) }) else {
      try writeUsingReserve(target.file, .ioError)
      return
    }
    do throws(Errno) {
      try disk.flush(target.file.file.descriptor)
      flushed.withLock { state in
        state.endOffset =
          target.file.isSame(as: state.file)
          ? max(state.endOffset, target.endOffset) : target.endOffset
        state.file = target.file
      }
    } catch {
      flushed.withLock { $0.failed = target.file }
      try writeUsingReserve(target.file, error)
    }
  }

  /// Replaces a file that can no longer be trusted by a new, flushed copy.
  private func writeUsingReserve(_ file: StoreFile, _ errno: Errno) throws(StoreError) {
    let deadline = Deadline(milliseconds: options.lockTimeout)
    do {
      while file.isCurrent(at: home.store) {
        if let job = try heldLocks.acquire(.compaction) {
          defer { job.release() }
          try compact(file)
          return
        }
        // Another process is compacting, which also makes a new file.
        if deadline.isPast { throw StoreError.notDurable(home.store, errno) }
        deadline.sleep(nanoseconds: 5_000_000)
      }
      // The process that replaced the file has copied and flushed its content.
    } catch {
      throw .notDurable(home.store, errno)
    }
  }
}
