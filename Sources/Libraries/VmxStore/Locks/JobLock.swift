import Synchronization
import VmxSystem

/// The jobs that only one process may do at a time, by their bytes in the lock file.
package enum JobByte: Int64, Sendable, CaseIterable {
  /// Rewriting the store without what counts no longer.
  case compaction = 1
  /// Changing the format of the store.
  case migration = 2
  /// Reconciling disk and store.
  case cleaning = 3
  /// The errands at login.
  case login = 4
  /// Hop feeds for news.
  case feeds = 5
  /// Sending reports.
  case outbox = 6

}

/// A job that this process has for itself until it is released or nobody refers to it any more.
package final class JobLock: Sendable {
  private let byte: Int64
  private let jobs: Jobs
  private let isReleased = Atomic(false)

  fileprivate init(_ byte: Int64, _ jobs: Jobs) {
    self.byte = byte
    self.jobs = jobs
  }

  deinit { release() }

  /// Lets others have the job; a second call does nothing.
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

  /// Takes a job if nobody has it.
  ///
  /// - Parameter signs: whether people are to be told who has it.
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
