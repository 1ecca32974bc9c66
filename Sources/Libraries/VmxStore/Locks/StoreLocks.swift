import Glibc
import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

// The lock file: its bytes and the order in which they are locked.
//
// Byte 0 is the write lock and bytes 1 to 31 are exclusive jobs. Bytes 32 to 95 are the slots that
// limit the transfers of the whole machine, and 96 to 4063 those that limit the transfers of each
// host. Claims on episodes begin at byte 4096. The order is: job, then claims, then slots, then the
// write lock.
// Claims and slots, and most jobs, are only tried; a caller may try again later. A process waits
// only for locks whose holders acquire no further lock but the write lock: the write lock itself
// and the jobs `pin`, `secrets` and `compaction`. So no deadlock is possible.
// The kernel never refuses a lock to the open file description that already holds it. So the
// process does its own accounting: a mutex in front of byte 0, and the set of its claims and jobs.
// A crash leaves no lock: the kernel releases the locks when it closes the description.

/// The locks of one library; the lock file is opened when it is first needed.
package final class StoreLocks: Sendable {
  let home: LibraryHome
  let options: StoreOptions
  private let identity: String
  private let opened = Monitor<LockFile?>(nil)
  /// Whether this process has removed the temporary files that a crash left.
  private let writing = Monitor(false)
  private let writer = Atomic<UInt>(0)
  /// The time when waiting ends after a request to stop; nil until this process has seen a request.
  private let lastWait = Mutex<Deadline?>(nil)

  init(_ home: LibraryHome, options: StoreOptions, clock: any WallClock) {
    self.home = home
    self.options = options
    identity = ProcessIdentity(clock: clock).text
  }

  /// Returns the lock file and creates it and its folder if they do not exist.
  func file() throws(StoreError) -> LockFile {
    try opened.withLock { opened throws(StoreError) in
      if let opened { return opened }
      try makeHome()
      let file: LockFile
      do throws(LockError) { file = try LockFile.open(home.lock) } catch { throw .lock(error) }
      opened = file
      return file
    }
  }

  /// Runs a body while this process holds the write lock.
  func withWriteLock<R>(_ body: () throws -> R) throws -> R {
    guard !isWriting else { fatalError("a nested update would deadlock") }
    return try writing.withLock { hasSwept in
      let file = try file()
      do throws(LockError) {
        try file.lock(
          0, .exclusive, timeout: options.lockTimeout, what: "the write lock",
          shouldStop: { stopsWaiting })
      } catch {
        throw StoreError.lock(error)
      }
      defer { file.unlock(0) }
      file.writeHint(identity)
      writer.store(UInt(pthread_self()), ordering: .relaxed)
      defer { writer.store(0, ordering: .relaxed) }
      if !hasSwept { home.removeAtomicTemporaryFiles() }
      hasSwept = true
      return try body()
    }
  }

  /// Whether the wait for the write lock must end because a stop of the process was requested.
  ///
  /// It ends 0.5 s after the request was first seen. The lock is usually held for a moment only, so
  /// work done by then is still recorded.
  private var stopsWaiting: Bool {
    guard options.shouldStop() else { return false }
    return lastWait.withLock { end in
      let deadline = end ?? Deadline(milliseconds: 500)
      end = deadline
      return deadline.isPast
    }
  }

  /// Whether the calling thread holds the write lock.
  var isWriting: Bool { writer.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Writes the identity of this process beside a job, for messages to the user.
  func writeOwner(_ offset: Int64, _ file: LockFile) {
    file.writeHint(identity, of: offset)
  }

  private func makeHome() throws(StoreError) {
    do throws(FileError) {
      for folder in try makeFolders(home.folder) { try syncFolder(folder.folder) }
    } catch {
      throw .file(error)
    }
    try checkFileSystem()
  }

  /// Refuses a library on a network file system; accepts one that does not exist yet.
  func checkFileSystem() throws(StoreError) {
    if options.allowsNetwork { return }
    let isOnNetwork: Bool
    do throws(FileError) {
      isOnNetwork = try isNetworkFileSystem(home.folder)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return }
      throw .file(error)
    }
    if isOnNetwork { throw .onNetwork(home.folder) }
  }
}
