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
  /// - Throws: `lock-busy` if another export writes to the same name, errors of the file system.
  init(of target: FilePath) throws {
    self.target = target
    let name = target.lastComponent?.string ?? ""
    path = target.folder.appending(LibraryLayout.temporaryName(of: StableHash.of(name)))
    while true {
      let file = try Self.open(path, of: target)
      guard flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else {
        throw Failure(.lockBusy, "another export writes to '\(target)'")
      }
      // Another export may have renamed the temporary file between the open and the lock.
      guard try FileFacts.of(path)?.inode == file.facts().inode else { continue }
      try file.truncate(to: 0)
      self.file = file
      return
    }
  }

  private static func open(_ path: FilePath, of target: FilePath) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(path, .readWrite, options: .create, permissions: .published)
    } catch {
      throw error.about(target)
    }
  }

  /// Removes the temporary file at a path, unless another export has it locked.
  ///
  /// - Throws: errors of the file system.
  static func removeUnused(_ path: FilePath) throws {
    let file = try OpenFile(path, .readOnly)
    guard flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else { return }
    try RegularFile.remove(path)
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
    // If the removal fails, the next export to this name reuses the file.
    try? removeFile(path)
  }
}
