import Synchronization
import VmxModel
import VmxSystem

/// The jobs that only one process may do at a time, with their bytes in the lock file.
package enum JobByte: Int64, Sendable, CaseIterable {
  /// Rewriting the store without dead lines.
  case compaction = 1
  /// Changing the format of the store.
  case migration = 2
  /// Reconciling the disk with the store.
  case cleaning = 3
  /// The tasks at login.
  case login = 4
  /// Polling feeds for new episodes.
  case feeds = 5
  /// Sending reports.
  case outbox = 6
  /// Checking a PIN.
  case pin = 7
  /// Exchanging subscriptions and watched marks with a server.
  case sync = 8
  /// Changing secrets that another program keeps. The holder acquires no other lock but the write
  /// lock, so a process that holds claims may wait for it.
  case secrets = 9

  /// The name of the lock in messages.
  fileprivate var displayName: String {
    switch self {
    case .compaction: "the lock of compactions"
    case .migration: "the lock of changes of the format"
    case .cleaning: "the lock of 'vmx clean'"
    case .login: "the lock of the tasks at login"
    case .feeds: "the lock of 'vmx feed update'"
    case .outbox: "the lock of reports"
    case .pin: "the lock of PIN checks"
    case .sync: "the lock of 'vmx sync'"
    case .secrets: "the lock of password changes"
    }
  }
}

/// The lock of one byte of the lock file; it ends when it is released or when its last reference is
/// gone.
package final class ByteLock: Sendable {
  let byte: Int64
  private let heldLocks: HeldLocks
  private let isReleased = Atomic(false)

  fileprivate init(_ byte: Int64, _ heldLocks: HeldLocks) {
    self.byte = byte
    self.heldLocks = heldLocks
  }

  deinit { release() }

  /// Releases the lock; a second call does nothing.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    heldLocks.release(byte)
  }
}

/// The lock of all bytes of the lock file from an offset on, until it is released.
package struct RangeLock: Sendable {
  fileprivate let first: Int64
  fileprivate let file: LockFile

  /// Releases the lock; a second call does nothing.
  package func release() { file.unlock(first, length: .max - first) }
}

/// The jobs, claims and slots that this process holds.
///
/// The kernel lets an open file description change its own locks, so the process does its own
/// accounting: it refuses what conflicts with its own locks and counts shared ones.
final class HeldLocks: Sendable {
  private struct Entry: Sendable {
    var mode: LockFile.Mode
    var count = 1
  }

  let locks: StoreLocks
  private let entries = Monitor<[Int64: Entry]>([:])

  init(_ locks: StoreLocks) {
    self.locks = locks
  }

  /// Acquires the lock of a byte without waiting; nil if another process holds it, or this process
  /// in a conflicting mode.
  ///
  /// - Parameter signs: whether to record in the lock file, for the user, which process holds it.
  func acquire(
    _ byte: Int64, _ mode: LockFile.Mode = .exclusive, signs: Bool = false
  ) throws(StoreError) -> ByteLock? {
    guard !locks.isWriting else {
      fatalError("other locks are acquired before the write lock, not after it")
    }
    let file = try locks.file()
    let isOurs = try entries.withLock { held throws(StoreError) in
      if let other = held[byte] {
        guard mode == .shared, other.mode == .shared else { return false }
        held[byte]?.count += 1
        return true
      }
      do throws(LockError) {
        guard try file.tryLock(byte, mode) else { return false }
      } catch {
        throw .lock(error)
      }
      held[byte] = Entry(mode: mode)
      return true
    }
    guard isOurs else { return nil }
    if signs { locks.writeOwner(byte, file) }
    return ByteLock(byte, self)
  }

  /// Acquires the lock of a job and signs it; nil if it is already held.
  func acquire(_ job: JobByte) throws(StoreError) -> ByteLock? {
    try acquire(job.rawValue, signs: true)
  }

  /// Acquires the lock of a job and signs it, waiting for another process or thread to release it.
  ///
  /// - Throws: `StoreError.lock` with `.busy` after the timeout of the write lock, or if the lock
  ///   file cannot be used; `WorkEnded.interrupted` after a request to stop.
  func wait(for job: JobByte) throws -> ByteLock {
    let begun = Deadline.now
    var lock: ByteLock?
    _ = try locks.options.lockWait.acquire {
      lock = try acquire(job)
      return lock != nil
    }
    if let lock { return lock }
    throw StoreError.lock(
      .busy(
        what: job.displayName, path: locks.home.lock,
        holder: try locks.file().hint(of: job.rawValue),
        waited: (Deadline.now - begun) / 1_000_000))
  }

  /// Acquires all bytes from an offset on, of which this process holds none; nil if another process
  /// or this one holds any.
  func acquireAll(from first: Int64) throws(StoreError) -> RangeLock? {
    let file = try locks.file()
    let isOurs = try entries.withLock { held throws(StoreError) in
      guard !held.keys.contains(where: { $0 >= first }) else { return false }
      do throws(LockError) {
        return try file.tryLock(first, .exclusive, length: .max - first)
      } catch {
        throw .lock(error)
      }
    }
    return isOurs ? RangeLock(first: first, file: file) : nil
  }

  /// The bytes that this process holds exclusively.
  var exclusive: Set<Int64> {
    entries.withLock { held in Set(held.filter { $0.value.mode == .exclusive }.keys) }
  }

  fileprivate func release(_ byte: Int64) {
    entries.withLock { held in
      guard let lock = held[byte] else { return }
      if lock.count > 1 {
        held[byte]?.count -= 1
        return
      }
      held[byte] = nil
      // Every lock has opened the lock file, so this call does not open it.
      do throws(StoreError) { try locks.file().unlock(byte) } catch { return }
    }
  }
}

/// The slots in the lock file by which all processes together limit the number of transfers.
///
/// Some slots are for the whole machine, and some for each host. The kernel releases the slots of a
/// process that dies. A host is mapped to a row of slots by the hash of its name. Two hosts with
/// the same row sometimes wait for each other, without any other effect.
package struct TransferSlots: Sendable {
  /// The number of slots of one limit.
  package static let slotsPerLimit: Int64 = 64
  private static let firstOfMachine: Int64 = 32
  private static let firstOfHosts = firstOfMachine + slotsPerLimit
  /// The number of rows before the claims begin.
  private static let rows: Int64 = (4096 - firstOfHosts) / slotsPerLimit

  private let heldLocks: HeldLocks

  init(_ heldLocks: HeldLocks) {
    self.heldLocks = heldLocks
  }

  /// Acquires one of the first slots of the machine; nil if all of them are taken.
  ///
  /// - Parameter limit: the number of slots, from 1 to `slotsPerLimit`.
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func acquire(ofMachine limit: Int64) throws(StoreError) -> ByteLock? {
    try acquire(Self.firstOfMachine, limit)
  }

  /// Acquires one of the first slots of a host; nil if all of them are taken.
  ///
  /// - Parameter limit: the number of slots, from 1 to `slotsPerLimit`.
  /// - Throws: `StoreError.lock` or `.file` if the lock file cannot be used.
  package func acquire(of host: String, _ limit: Int64) throws(StoreError) -> ByteLock? {
    let row = Int64(StableHash.of(host) % UInt64(Self.rows))
    return try acquire(Self.firstOfHosts + row * Self.slotsPerLimit, limit)
  }

  private func acquire(_ first: Int64, _ limit: Int64) throws(StoreError) -> ByteLock? {
    for slot in 0..<min(limit, Self.slotsPerLimit) {
      if let lock = try heldLocks.acquire(first + slot) { return lock }
    }
    return nil
  }
}
