import Synchronization
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

}

/// The lock of a job; it ends when it is released or when its last reference is gone.
package final class JobLock: Sendable {
  private let byte: Int64
  private let jobs: Jobs
  private let isReleased = Atomic(false)

  fileprivate init(_ byte: Int64, _ jobs: Jobs) {
    self.byte = byte
    self.jobs = jobs
  }

  deinit { release() }

  /// Releases the job; a second call does nothing.
  package func release() {
    guard !isReleased.exchange(true, ordering: .relaxed) else { return }
    jobs.release(byte)
  }
}

/// The jobs of this process.
final class Jobs: Sendable {
  private let locks: StoreLocks
  private let held = Monitor<Set<Int64>>([])

  init(_ locks: StoreLocks) {
    self.locks = locks
  }

  /// Acquires the lock of a job; nil if it is already held.
  ///
  /// - Parameter signs: whether to record in the lock file, for the user, which process holds it.
  func take(_ byte: Int64, signs: Bool = true) throws(StoreError) -> JobLock? {
    guard !locks.isWriting else { fatalError("a job comes before the write lock, not after") }
    let file = try locks.file()
    let isOurs = try held.withLock { held throws(StoreError) in
      guard !held.contains(byte) else { return false }
      do throws(LockError) {
        guard try file.tryLock(byte, .exclusive) else { return false }
      } catch {
        throw .lock(error)
      }
      held.insert(byte)
      return true
    }
    guard isOurs else { return nil }
    if signs { locks.sign(byte, file) }
    return JobLock(byte, self)
  }

  fileprivate func release(_ byte: Int64) {
    held.withLock { held in
      guard held.remove(byte) != nil else { return }
      do throws(StoreError) { try locks.file().unlock(byte) } catch { return }
    }
  }
}
