import Glibc
import Synchronization
import SystemPackage
import VmxModel
import VmxSystem

// The lock file: who takes what, in which order.
//
// Byte 0 is the write lock, 1 to 31 are jobs that must be alone, 32 to 95 the slots of a limit of
// transfers for the whole machine, 96 to 4063 those of limits for hosts, and from 4096 on lie the
// claims on episodes. Order: job byte, then claims, then slots, then write lock. Jobs, claims and
// slots are tried and never waited for, so nobody can wait in a circle; only the write lock is
// waited for, and whoever has it takes nothing more.
// One description for the whole process never refuses itself, so the process keeps its own account:
// a mutex before byte 0, and the set of its claims and jobs. A crash leaves nothing: the kernel
// drops the locks with the description.

/// The locks of one library, opened when first needed.
package final class StoreLocks: Sendable {
  let home: LibraryHome
  private let options: StoreOptions
  private let identity: String
  private let opened = Monitor<LockFile?>(nil)
  /// Whether this process has removed the drafts that a crash left.
  private let writing = Monitor(false)
  private let writer = Atomic<UInt>(0)
  /// When waits end after a request to stop; nil until one was seen.
  private let lastWait = Mutex<Deadline?>(nil)

  init(_ home: LibraryHome, options: StoreOptions, clock: any WallClock) {
    self.home = home
    self.options = options
    identity = ProcessIdentity(clock: clock).text
  }

  /// The lock file; it and its folder are made if they are not there.
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

  /// Runs a body while this process alone may write to the store.
  func whileWriting<R>(_ body: () throws -> R) throws -> R {
    guard !isWriting else { fatalError("an update within an update would wait for itself") }
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
      if !hasSwept { HomeDrafts(home: home).sweep() }
      hasSwept = true
      return try body()
    }
  }

  /// Whether the wait for the write lock is over because the process is asked to stop.
  ///
  /// Half a second after the request was first seen: what has been done by then is still recorded
  /// where the lock is held only for a moment, as is usual.
  private var stopsWaiting: Bool {
    guard options.shouldStop() else { return false }
    return lastWait.withLock { end in
      let deadline = end ?? Deadline(milliseconds: 500)
      end = deadline
      return deadline.isPast
    }
  }

  /// Whether the calling thread has the write lock.
  var isWriting: Bool { writer.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Leaves text for people about who has a job.
  func sign(_ offset: Int64, _ file: LockFile) {
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

  /// Refuses a library on another machine; one that is not there yet is accepted.
  func checkFileSystem() throws(StoreError) {
    if options.allowsNetwork { return }
    let isElsewhere: Bool
    do throws(FileError) {
      isElsewhere = try isNetworkFileSystem(home.folder)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return }
      throw .file(error)
    }
    if isElsewhere { throw .onNetwork(home.folder) }
  }
}
