import CLinux
package import SystemPackage

// Byte-range locks that belong to the open file description (F_OFD_SETLK).
//
// Who is blocked: every other open file description, in this process or another, that asks for
// the same bytes in a way that conflicts. Two threads that share one LockFile never refuse each
// other: whoever shares one keeps account of what is held, and a mutex before each byte.
// Who cleans up: nobody. The kernel drops the locks when the description is closed, so a process
// that is killed leaves none, and a lock is never stale. That holds only while nobody duplicates
// the descriptor and no child inherits it: it is opened with O_CLOEXEC, it never leaves this
// class, and children are made by posix_spawn.
// What a crash leaves: hints. A hint is text for people in the first 4096 bytes of the file; it
// means nothing without a lock.

/// A file whose bytes are locks between processes.
package final class LockFile: Sendable {
  /// How a range of bytes is locked.
  package enum Mode: Sendable {
    /// Others may share it, nobody may have it alone.
    case shared
    /// Nobody else has it.
    case exclusive
  }

  let file: OpenFile

  private init(_ file: consuming OpenFile) {
    self.file = file
  }

  /// The path of the lock file.
  package var path: FilePath { file.path }

  /// Opens the lock file, making it with mode 0600 if it is not there.
  ///
  /// - Throws: `LockError.unsupported` if its file system has no such locks, `.unusable` if it
  ///   cannot be opened, is a symbolic link or is no regular file.
  package static func open(_ path: FilePath) throws(LockError) -> LockFile {
    let lock: LockFile
    do throws(FileError) {
      lock = LockFile(try OpenFile(path, .readWrite, options: .create))
    } catch {
      throw .unusable(error)
    }
    // Better refused now than with work half done.
    _ = try lock.othersMode(0)
    return lock
  }

  /// Opens a lock file only to look at who holds what; nil if there is none.
  ///
  /// - Throws: `LockError.unusable` if it cannot be opened, is a symbolic link or is no regular
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

  /// Takes a range of bytes if nobody else has it; what we have of it gets the new mode.
  ///
  /// - Parameters:
  ///   - offset: of the first byte, not negative; it may lie beyond the end of the file.
  ///   - length: number of bytes, at least 1.
  /// - Returns: whether it is ours now.
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

  /// Takes a range of bytes, waiting for whoever has it.
  ///
  /// Waiting is polling, at first every 0.1 ms, in the end every 10 ms, because the kernel's own
  /// waiting knows no time limit. Who comes first is not necessarily served first.
  ///
  /// - Parameters:
  ///   - offset: of the first byte, not negative.
  ///   - milliseconds: how long to wait; with 0 it is tried once.
  ///   - what: what the bytes stand for, for the message, such as `the write lock`.
  ///   - shouldStop: asked between two tries whether to give up before the time is up.
  /// - Throws: `LockError.busy` with the holder's hint when the time is up, `.interrupted` when it
  ///   was told to stop; `.unsupported` or `.unusable` at once.
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

  /// Lets go of a range of bytes, whoever of this process had taken it.
  ///
  /// Letting go of what one has cannot fail; only splitting a locked range could, for want of
  /// kernel memory, and then the range stays locked until the process ends.
  package func unlock(_ offset: Int64, length: Int64 = 1) {
    _ = linux_lock_set(descriptor, CInt(linux_lock_none), offset, length)
  }

  /// How others hold a range of bytes at this moment; nil if they do not, ours not counted.
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
