import Glibc
import SystemPackage
import VmxModel
import VmxSystem

/// The temporary file of a bundle, in the folder of its final path.
///
/// Its name is derived from the final name, so the next export to that name reuses a temporary file
/// that a crash left. An exclusive lock (flock) on it excludes other exports to the same name.
struct TemporaryArchive: ~Copyable {
  /// The final path.
  let target: FilePath
  private let path: FilePath
  private let file: OpenFile

  /// Opens, locks and truncates the temporary file.
  ///
  /// - Parameter wait: the wait for another export to the same name, which may publish its file
  ///   meanwhile.
  /// - Throws: `lock-busy` after the timeout, `WorkEnded.interrupted`, errors of the file system.
  init(of target: FilePath, wait: LockWait) throws {
    self.target = target
    let name = target.lastComponent?.string ?? ""
    path = target.folder.appending(LibraryLayout.temporaryName(of: StableHash.of(name)))
    while true {
      let file = try Self.open(path, of: target)
      var lock = Lock.busy
      let isHeld = try wait.acquire {
        lock = try Self.lock(file)
        return lock != .busy
      }
      guard isHeld else { throw Self.busy(target) }
      if lock == .renamed { continue }
      try file.truncate(to: 0)
      self.file = file
      return
    }
  }

  /// Returns the failure if another export holds the lock of a file or folder.
  static func busy(_ target: FilePath) -> Failure {
    Failure(.lockBusy, "another export writes to '\(target)'", hint: LockError.busyHint)
  }

  private static func open(_ path: FilePath, of target: FilePath) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(path, .readWrite, options: .create, permissions: .published)
    } catch {
      throw error.about(target)
    }
  }

  /// The result of locking an open temporary file.
  private enum Lock {
    case acquired
    /// Another export holds the lock.
    case busy
    /// The path has another file or none: an export published or removed this one after it was
    /// opened. Its lock excludes no export.
    case renamed
  }

  /// Locks an open temporary file until it is closed; does not wait.
  private static func lock(_ file: borrowing OpenFile) throws(FileError) -> Lock {
    guard flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else { return .busy }
    return try FileFacts.of(file.path)?.inode == file.facts().inode ? .acquired : .renamed
  }

  /// Removes the temporary file at a path, unless another export uses or has published it.
  ///
  /// - Throws: errors of the file system.
  static func removeUnused(_ path: FilePath) throws(FileError) {
    do throws(FileError) {
      try removeUnused(OpenFile(path, .readOnly))
    } catch  where error.errno == .noSuchFileOrDirectory {
      return
    }
  }

  /// Removes an open temporary file, unless another export uses or has published it.
  ///
  /// - Throws: errors of the file system.
  static func removeUnused(_ file: borrowing OpenFile) throws(FileError) {
    if try lock(file) == .acquired { try RegularFile.remove(file.path) }
  }

  /// The descriptor to write to.
  var descriptor: FileDescriptor { file.descriptor }

  /// Truncates the temporary file and moves its offset to 0, for another attempt.
  func rewind() throws {
    try file.truncate(to: 0)
    guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else {
      throw Failure(.internalError, "the draft of '\(target)' cannot be rewound")
    }
  }

  /// Flushes the temporary file and renames it to its final name, durably.
  ///
  /// - Throws: `name-taken` if the name exists and `replacing` is false, errors of the file system.
  func publish(replacing: Bool) throws {
    try fullSync(descriptor, of: target)
    if replacing {
      try renameReplacing(from: path, to: target)
    } else {
      try renameNoReplace(from: path, to: target)
    }
    try syncFolder(target.folder)
  }

  /// Removes the temporary file.
  func discard() {
    RegularFile.discard(path)
  }
}
