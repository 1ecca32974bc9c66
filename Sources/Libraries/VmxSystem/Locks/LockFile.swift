import CLinux
package import SystemPackage
package import VmxModel

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
    _ = try lock.conflictingMode(0)
    return lock
  }

  /// Opens a lock file only to query its locks; nil if it does not exist.
  ///
  /// - Parameter mode: `.readWrite` to acquire exclusive locks too.
  /// - Throws: `LockError.unusable` if it cannot be opened, is a symbolic link or is not a regular
  ///   file.
  package static func existing(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode = .readOnly
  ) throws(LockError) -> LockFile? {
    let lock: LockFile
    do throws(FileError) {
      lock = LockFile(try OpenFile(path, mode))
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw .unusable(error)
    }
    return lock
  }

  /// Acquires a byte unless another owner holds it; a byte that this file already holds changes to
  /// the new mode.
  ///
  /// - Parameters:
  ///   - offset: of the byte, not negative; it may lie beyond the end of the file.
  ///   - length: the number of bytes from there, all or none of which are acquired.
  /// - Returns: whether the lock was acquired.
  /// - Throws: `LockError.unsupported` or `.unusable`, never `.busy`.
  package func tryLock(
    _ offset: Int64, _ mode: Mode, length: Int64 = 1
  ) throws(LockError) -> Bool {
    precondition(offset >= 0, "a lock covers a byte that a file can have")
    let error = Errno(rawValue: linux_lock_set(descriptor, mode.number, offset, length))
    switch error {
    case Errno(rawValue: 0): return true
    case .resourceTemporarilyUnavailable, .permissionDenied: return false
    default: throw LockError(error, path)
    }
  }

  /// Acquires a byte, waiting for other owners to release it.
  ///
  /// It polls, at first every 0.1 ms, finally every 10 ms, because the kernel's own wait
  /// (F_OFD_SETLKW) has no timeout. The order of waiters is not guaranteed.
  ///
  /// - Parameters:
  ///   - offset: of the byte, not negative.
  ///   - milliseconds: the timeout; with 0 there is one attempt.
  ///   - what: the meaning of the byte for the message, such as `the write lock`.
  ///   - shouldStop: called between two attempts; true ends the wait before the timeout.
  /// - Throws: `LockError.busy` with the holder's hint after the timeout, `.interrupted` after
  ///   `shouldStop` returned true; `.unsupported` or `.unusable` at once.
  package func lock(
    _ offset: Int64, _ mode: Mode, timeout milliseconds: Int64, what: String,
    shouldStop: () -> Bool = { false }
  ) throws(LockError) {
    let begun = Deadline.now
    let deadline = Deadline(milliseconds: milliseconds)
    var pause = RetryPause()
    while try !tryLock(offset, mode) {
      if shouldStop() { throw .interrupted(what: what, path: path) }
      guard !deadline.isPast else {
        let waited = (Deadline.now - begun) / 1_000_000
        throw .busy(what: what, path: path, holder: hint(of: offset), waited: waited)
      }
      pause.sleep(until: deadline)
    }
  }

  /// Releases a byte, whichever thread of this process acquired it.
  ///
  /// It fails only if the kernel lacks memory to split a range of bytes held in the same mode; then
  /// the byte stays locked until the process ends.
  package func unlock(_ offset: Int64, length: Int64 = 1) {
    _ = linux_lock_set(descriptor, CInt(linux_lock_none), offset, length)
  }

  /// Returns the mode in which other owners hold a range of bytes now; nil if none does.
  ///
  /// - Throws: `LockError.unsupported` or `.unusable`.
  package func conflictingMode(_ offset: Int64, length: Int64 = 1) throws(LockError) -> Mode? {
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

/// Hints: text for the user about the holders of bytes 0 to 30. The hint of byte n is the 128 bytes
/// at offset 64 + 128 × n.
extension LockFile {
  /// The length of a hint in bytes, of which the last is always NUL.
  static let hintSize = 128
  /// The offset of the first hint.
  static let firstHint: Int64 = 64
  /// The number of locks with a hint below offset 4096, where the claims begin.
  static let hintCount: Int64 = (4096 - firstHint) / Int64(hintSize)

  /// Writes a hint that names this process as the holder of a byte; only its holder calls this.
  ///
  /// Text is truncated after 127 bytes. Bytes from 31 on have no hints. A failure is ignored: the
  /// lock matters, the hint does not.
  package func writeHint(_ text: String, of offset: Int64 = 0) {
    guard let position = Self.hintOffset(of: offset) else { return }
    var bytes = Array(text.utf8.prefix(Self.hintSize - 1))
    bytes += repeatElement(0, count: Self.hintSize - bytes.count)
    // The last holder usually was this process, and reading is cheaper than writing.
    guard self.bytes(at: position) != bytes else { return }
    do throws(FileError) {
      try file.write(bytes, at: position)
    } catch {
      return
    }
  }

  /// Returns the hint of the last holder of a byte; nil if there is no legible hint.
  package func hint(of offset: Int64 = 0) -> String? {
    guard let position = Self.hintOffset(of: offset), let bytes = bytes(at: position) else {
      return nil
    }
    // Omits a truncated character at the end and control characters.
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }
    return text.isEmpty ? nil : String(String.UnicodeScalarView(text))
  }

  /// Reads the bytes of a hint, NULs beyond the end of the file; nil if they cannot be read.
  private func bytes(at position: Int64) -> [UInt8]? {
    do throws(FileError) {
      let bytes = try file.read(Self.hintSize, at: position)
      return bytes + repeatElement(0, count: Self.hintSize - bytes.count)
    } catch {
      return nil
    }
  }

  private static func hintOffset(of offset: Int64) -> Int64? {
    (0..<hintCount).contains(offset) ? firstHint + offset * Int64(hintSize) : nil
  }
}

/// The reason for which a lock was not acquired.
package enum LockError: CodedError, Equatable {
  /// Another owner held it for the whole timeout, in milliseconds; the holder's name comes from its
  /// hint and may be outdated.
  case busy(what: String, path: FilePath, holder: String?, waited: Int64)
  /// The caller asked to stop waiting.
  case interrupted(what: String, path: FilePath)
  /// The file system has no byte-range locks.
  case unsupported(FilePath, Errno)
  /// The lock file cannot be opened or used.
  case unusable(FileError)

  package var code: ErrorCode {
    switch self {
    case .busy: .lockBusy
    case .interrupted: .interrupted
    case .unsupported: .lockUnsupported
    case .unusable(let error):
      switch error.code {
      case .diskFull: .storeFull
      case .resourcesShort: .resourcesShort
      default: .storeUnreadable
      }
    }
  }

  package var summary: String {
    switch self {
    case .busy(let what, let path, let holder, let waited):
      "\(what) in '\(path)' was busy for \(waited) ms, held by \(holder ?? "another process")"
    case .interrupted(let what, let path): "interrupted while waiting for \(what) in '\(path)'"
    case .unsupported(let path, let errno):
      "no byte-range locks on the file system of '\(path)': \(errno.message)"
    case .unusable(let error): error.summary
    }
  }

  package var hint: String {
    switch self {
    case .unusable(.isLink): Self.linkHint
    case .busy: Self.busyHint
    default: code.entry.hint
    }
  }

  /// The hint after the timeout of a wait for a lock.
  package static let busyHint = "wait for that process to end, or give a longer --lock-timeout"

  /// The hint where a file of vmx is a symbolic link.
  package static let linkHint =
    "replace the link by the file itself; symbolic links are not followed"

  /// Maps the errno of a failed lock call.
  init(_ errno: Errno, _ path: FilePath) {
    switch errno {
    case .noLocks, .invalidArgument, .notSupported, .noFunction: self = .unsupported(path, errno)
    default: self = .unusable(.failed(.lock, path, errno))
    }
  }
}
