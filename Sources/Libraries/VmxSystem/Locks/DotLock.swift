package import SystemPackage
import VmxModel

// The lock of a text file that other programs also edit: a file beside it with `.lock` appended to
// its name, as git creates it for its settings (lockfile.c). Who creates it may replace the file.
//
// Blocked: every process that follows the protocol, such as `git config --file`.
// Clean-up: the holder removes the lock file. Git's own way leaves it behind if git is killed, and
// then every later writer fails. Here the holder also has a kernel lock on the lock file, from
// before it gets its name, and a hint in it. A process that finds a lock file with such a hint and
// without its kernel lock takes it over, because its holder is dead. A lock file of git has no
// hint, and only the user can decide that it is left over. After a crash: the lock file, which the
// next process of vmx takes over and removes.

/// The lock of a text file that vmx and other programs edit.
package final class DotLock {
  /// The name of the byte for messages.
  private static let what = "the lock of the settings"
  /// The beginning of the hint in a lock file of vmx.
  private static let mark = "vmx, "

  private let path: FilePath
  private let lock: LockFile

  private init(_ path: FilePath, _ lock: LockFile) {
    self.path = path
    self.lock = lock
  }

  /// Acquires the lock of a file, waiting for other holders; `release` must follow.
  ///
  /// - Parameters:
  ///   - file: the path of the file, with links resolved; the file need not exist.
  ///   - milliseconds: the timeout.
  ///   - holder: this process, for the messages of others.
  ///   - shouldStop: called between two attempts; true ends the wait.
  /// - Throws: `LockError.busy`, `.interrupted`, `.unsupported` or `.unusable`, as a `LockFile`;
  ///   `WorkEnded.interrupted`.
  package static func acquire(
    _ file: FilePath, timeout milliseconds: Int64, as holder: String,
    shouldStop: @escaping @Sendable () -> Bool = { false }
  ) throws -> DotLock {
    let path = file.folder.appending("\(file.lastComponent?.string ?? "").lock")
    let draft = file.folder.appending(LibraryLayout.temporaryName())
    let lock = try LockFile.open(draft)
    // After a success the draft has its new name.
    defer { _ = try? removeFile(draft) }
    guard try lock.tryLock(0, .exclusive) else { throw LockError.unusable(.isLink(draft)) }
    lock.writeHint(mark + holder)
    let begun = Deadline.now
    var acquired = lock
    let wait = LockWait(milliseconds: milliseconds, shouldStop: shouldStop)
    let isAcquired = try wait.acquire {
      if try name(draft, path) { return true }
      guard let left = try abandoned(path) else { return false }
      acquired = left
      return true
    }
    guard isAcquired else {
      let hint = try LockFile.existing(path)?.hint().flatMap { $0.hasPrefix(mark) ? $0 : nil }
      throw LockError.busy(
        what: what, path: path, holder: hint, waited: (Deadline.now - begun) / 1_000_000)
    }
    return DotLock(path, acquired)
  }

  /// Releases the lock: removes the lock file.
  package func release() {
    _ = try? removeFile(path)
    lock.unlock(0)
  }

  /// Gives the draft the name of the lock file; false if that exists.
  private static func name(_ draft: FilePath, _ path: FilePath) throws -> Bool {
    do throws(FileError) {
      try renameNoReplace(from: draft, to: path)
      return true
    } catch  where error.errno == .fileExists {
      return false
    } catch {
      throw LockError.unusable(error)
    }
  }

  /// Returns the lock file of a dead holder, now locked by this process; nil if its holder may
  /// live.
  private static func abandoned(_ path: FilePath) throws -> LockFile? {
    guard let lock = try LockFile.existing(path, .readWrite),
      lock.hint()?.hasPrefix(mark) == true, try lock.tryLock(0, .exclusive)
    else { return nil }
    // Its holder may have removed it between the two calls, and another process made a new one.
    guard let named = try FileFacts.of(path), named.identity == (try lock.file.facts().identity)
    else { return nil }
    return lock
  }
}
