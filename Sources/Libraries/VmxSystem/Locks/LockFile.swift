import CLinux
package import SystemPackage

// Byte-range locks that belong to the open file description (F_OFD_SETLK).
//
// Blocked: every other open file description, in this process or another, that requests a
// conflicting lock of the same bytes. Two threads that share one LockFile never block each other.
// The owner of a shared LockFile therefore tracks the held bytes, with a mutex before each.
// Clean-up: none is needed. The kernel releases the locks when the description is closed, so a
// killed process leaves none, and a lock is never stale. That requires that the descriptor is never
// duplicated and that no child inherits it. It is opened with O_CLOEXEC, it never leaves this
// class, and children are made by posix_spawn.
// After a crash: only hints remain. A hint is text for the user in the first 4096 bytes of the
// file; it means nothing without a lock.

/// A file whose bytes serve as locks between processes.
package final class LockFile: Sendable {
  /// The mode of a lock.
  package enum Mode: Sendable {
    /// Other owners may hold shared locks, but no exclusive one.
    case shared
    /// No other owner may hold a lock.
    case exclusive
  }

  let file: OpenFile

  private init(_ file: consuming OpenFile) {
    self.file = file
  }

  /// The path of the lock file.
  package var path: FilePath { file.path }

  /// Opens the lock file, creating it with mode 0600 if it does not exist.
  ///
  /// - Throws: `LockError.unsupported` if its file system does not support such locks. `.unusable`
  ///   if it cannot be opened, is a symbolic link or is not a regular file.
  package static func open(_ path: FilePath) throws(LockError) -> LockFile {
    let lock: LockFile
    do throws(FileError) {
      lock = LockFile(try OpenFile(path, .readWrite, options: .create))
    } catch {
      throw .unusable(error)
    }
    // A failure now is better than one after half of the work.
    _ = try lock.othersMode(0)
    return lock
  }

  /// Opens a lock file only to query its locks; nil if it does not exist.
  ///
  /// - Throws: `LockError.unusable` if it cannot be opened, is a symbolic link or is not a regular
  ///   file.
  package static func existing(_ path: FilePath) throws(LockError) -> LockFile? {
    let lock: LockFile
    do throws(FileError) {
      lock = LockFile(try OpenFile(path, .readOnly))
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw .unusable(error)
    }
    return lock
  }

  /// Acquires a range of bytes unless another owner holds it; bytes that this file already holds
  /// change to the new mode.
  ///
  /// - Parameters:
  ///   - offset: of the first byte, not negative; it may lie beyond the end of the file.
  ///   - length: number of bytes, at least 1.
  /// - Returns: whether the lock was acquired.
  /// - Throws: `LockError.unsupported` or `.unusable`, never `.busy`.
  package func tryLock(
    _ offset: Int64, length: Int64 = 1, _ mode: Mode
  ) throws(LockError) -> Bool {
    precondition(offset >= 0 && length > 0, "a lock covers bytes that a file can have")
    let error = Errno(rawValue: linux_lock_set(descriptor, mode.number, offset, length))
    switch error {
    case Errno(rawValue: 0): return true
    case .resourceTemporarilyUnavailable, .permissionDenied: return false
    default: throw LockError(error, path)
    }
  }

  /// Acquires a range of bytes, waiting for other owners to release it.
  ///
  /// It polls, at first every 0.1 ms, finally every 10 ms, because the kernel's own wait
  /// (F_OFD_SETLKW) has no timeout. The order of waiters is not guaranteed.
  ///
  /// - Parameters:
  ///   - offset: of the first byte, not negative.
  ///   - milliseconds: the timeout; with 0 there is one attempt.
  ///   - what: the meaning of the bytes for the message, such as `the write lock`.
  ///   - shouldStop: called between two attempts; true ends the wait before the timeout.
  /// - Throws: `LockError.busy` with the holder's hint after the timeout, `.interrupted` after
  ///   `shouldStop` returned true; `.unsupported` or `.unusable` at once.
  package func lock(
    _ offset: Int64, length: Int64 = 1, _ mode: Mode, timeout milliseconds: Int64, what: String,
    shouldStop: () -> Bool = { false }
  ) throws(LockError) {
    let begun = Deadline.now
    let deadline = Deadline(milliseconds: milliseconds)
    var pause = GrowingPause()
    while try !tryLock(offset, length: length, mode) {
      if shouldStop() { throw .interrupted(what: what, path: path) }
      guard !deadline.isPast else {
        let waited = (Deadline.now - begun) / 1_000_000
        throw .busy(what: what, path: path, holder: hint(of: offset), waited: waited)
      }
      pause.sleep(until: deadline)
    }
  }

  /// Releases a range of bytes, whichever thread of this process acquired it.
  ///
  /// Releasing a whole held range cannot fail. Only splitting a locked range could, for lack of
  /// kernel memory; then the range stays locked until the process ends.
  package func unlock(_ offset: Int64, length: Int64 = 1) {
    _ = linux_lock_set(descriptor, CInt(linux_lock_none), offset, length)
  }

  /// Returns the mode in which other owners hold a range of bytes now; nil if none does.
  ///
  /// - Throws: `LockError.unsupported` or `.unusable`.
  package func othersMode(_ offset: Int64, length: Int64 = 1) throws(LockError) -> Mode? {
    var way = Mode.exclusive.number
    let error = linux_lock_test(descriptor, &way, offset, length)
    if error != 0 { throw LockError(Errno(rawValue: error), path) }
    return [Mode.shared, .exclusive].first { $0.number == way }
  }

  private var descriptor: CInt { file.descriptor.rawValue }
}

extension LockFile.Mode {
  fileprivate var number: CInt {
    switch self {
    case .shared: CInt(linux_lock_shared)
    case .exclusive: CInt(linux_lock_exclusive)
    }
  }
}
