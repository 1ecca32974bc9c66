import Glibc
import SystemPackage
import VmxModel
import VmxSystem

/// The draft of a bundle beside its final name.
///
/// Its name is made from the final one, so a draft that a crash left is used again by the next
/// export to that name. A lock on it keeps two exports apart.
struct BundleDraft: ~Copyable {
  /// The final path.
  let target: FilePath
  private let path: FilePath
  private let file: OpenFile

  /// Opens and empties the draft.
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
      // Another export may have renamed the draft between the two calls.
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

  /// Removes the draft at a path, unless an export writes to it.
  ///
  /// - Throws: errors of the file system.
  static func removeUnused(_ path: FilePath) throws {
    let file = try OpenFile(path, .readOnly)
    guard flock(file.descriptor.rawValue, LOCK_EX | LOCK_NB) == 0 else { return }
    try RegularFile.remove(path)
  }

  /// The descriptor to write to.
  var descriptor: FileDescriptor { file.descriptor }

  /// Empties the draft, so that it is written anew.
  func rewind() throws {
    try file.truncate(to: 0)
    guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else {
      throw Failure(.internalError, "the draft of '\(target)' cannot be rewound")
    }
  }

  /// Flushes the draft and gives it its final name, durably.
  ///
  /// - Throws: `name-taken` if the name exists and is not to be replaced, errors of the file system.
  func publish(replacing: Bool) throws {
    try fullSync(descriptor, of: target)
    if replacing {
      try renameReplacing(from: path, to: target)
    } else {
      try renameNoReplace(from: path, to: target)
    }
    try syncFolder(target.folder)
  }

  /// Removes the draft.
  func discard() {
    // The next export to this name uses a draft that cannot be removed here.
    try? removeFile(path)
  }
}
