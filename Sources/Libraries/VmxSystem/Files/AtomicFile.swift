import CLinux
import Glibc
package import SystemPackage
import VmxModel

/// Replaces whole files atomically: a reader sees either the old bytes or the new ones, never a
/// mixture.
///
/// The new bytes are written to a temporary file in the same folder, whose name begins with `.vmx-`
/// and ends with `.tmp`. A failure removes that file. Only a crash can leave it behind, and no
/// reader ever opens it.
package enum AtomicFile {
  /// Writes a file with the given bytes and renames it to the path, replacing an existing file.
  ///
  /// A symbolic link at the path is replaced, not followed.
  ///
  /// - Parameters:
  ///   - permissions: permissions of the new file, independent of the umask and of the old file.
  ///   - owned: a file whose owner and group the new one gets, as far as this process may set them.
  ///   - durable: whether the bytes and the name are on the disk when it returns. Otherwise a power
  ///     cut may leave the old file, the new one, or on some file systems an empty one.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file. The old file is then
  ///   unchanged. Only after a failed flush of the folder is it undefined which file a power cut
  ///   leaves.
  package static func replace(
    _ path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite,
    ownerOf owned: FileFacts? = nil, durable: Bool
  ) throws(FileError) {
    let form = (permissions: permissions, owned: owned)
    _ = try write(to: path, bytes: bytes, form, durable: durable) { temporary throws(FileError) in
      try renameReplacing(from: temporary, to: path)
    }
    if durable { try syncFolder(path.folder) }
  }

  /// Writes a file with the bytes that the closure provides piece by piece, and renames it to the
  /// path, as `replace(_:with:mode:durable:)` does.
  ///
  /// - Throws: as that function, and the errors of the closure; the old file is then unchanged.
  package static func replace(
    _ path: FilePath, mode permissions: FilePermissions, durable: Bool,
    writing body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let temporary = path.folder.appending(LibraryLayout.temporaryName())
    do {
      let file = try OpenFile(
        temporary, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      var offset: Int64 = 0
      try body { piece in
        try file.write(piece, at: offset)
        offset += Int64(piece.count)
      }
      try setMode(permissions, of: file.descriptor, at: temporary)
      if durable { try fullSync(file.descriptor, of: temporary) }
      try renameReplacing(from: temporary, to: path)
    } catch {
      // The first error is more important than a failure to remove the temporary file.
      _ = temporary.withPlatformString { unlink($0) }
      throw (error as? FileError)?.about(path) ?? error
    }
    if durable { try syncFolder(path.folder) }
  }

  /// Writes bytes to a temporary file in the same folder, which the caller then flushes and
  /// renames.
  ///
  /// - Returns: the path of the temporary file.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file, which is then
  ///   removed.
  package static func draft(
    of path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) -> FilePath {
    try write(to: path, bytes: bytes, (permissions, nil), durable: false)
  }

  /// Writes bytes to a temporary file beside the path and performs the next step with it; removes
  /// it if either fails.
  private static func write(
    to path: FilePath, bytes: [UInt8], _ form: (permissions: FilePermissions, owned: FileFacts?),
    durable: Bool, next: (FilePath) throws(FileError) -> Void = { _ in }
  ) throws(FileError) -> FilePath {
    let temporary = path.folder.appending(LibraryLayout.temporaryName())
    do throws(FileError) {
      let file = try OpenFile(
        temporary, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
      try file.write(bytes, at: 0)
      // It fails for a process that may not give files away; the new file is then its own.
      if let owned = form.owned { _ = fchown(file.descriptor.rawValue, owned.owner, owned.group) }
      try setMode(form.permissions, of: file.descriptor, at: temporary)
      if durable { try fullSync(file.descriptor, of: temporary) }
      try next(temporary)
      return temporary
    } catch {
      // The first error is more important than a failure to remove the temporary file.
      _ = temporary.withPlatformString { unlink($0) }
      throw error.about(path)
    }
  }
}

/// How a file system renames a file without replacing another one.
package enum ExclusiveRenaming: Sendable {
  /// By one call (RENAME_NOREPLACE).
  case atomic
  /// By a hard link and a removal.
  case link
  /// By a look for the new name and a rename, under the lock of the folder.
  case look
}

/// Renames a file to a new name without ever replacing an existing file.
///
/// If the file system does not support this atomically, the new name is linked and the old one
/// removed. A crash between the two steps leaves both names. Without hard links (exFAT by FUSE,
/// rclone) it looks for the new name and renames then, under the lock of the folder; only another
/// program can come between.
///
/// A new name that differs only in case or Unicode form is another spelling of the old one on some
/// file systems; then the file gets it.
///
/// - Throws: `FileError.failed(.rename, to, .fileExists)`, code `name-taken`, if the name exists;
///   `FileError.failed` of the call otherwise. Both names are then unchanged.
package func renameNoReplace(from old: FilePath, to new: FilePath) throws(FileError) {
  _ = try renameExclusively(from: old, to: new)
}

/// Renames a file as `renameNoReplace` does, and returns how.
///
/// - Throws: as `renameNoReplace`.
package func renameExclusively(
  from old: FilePath, to new: FilePath
) throws(FileError) -> ExclusiveRenaming {
  let error = old.withPlatformString { from in
    new.withPlatformString { to in linux_rename_exclusively(from, to) }
  }
  switch Errno(rawValue: error) {
  case Errno(rawValue: 0): break
  case .invalidArgument, .noFunction, .notSupported: return try renameByLink(from: old, to: new)
  case .fileExists: try renameSpelling(from: old, to: new)
  case let error: throw .failed(.rename, new, error)
  }
  return .atomic
}

/// Renames by a link and a removal; without hard links, by a look and a rename.
func renameByLink(from old: FilePath, to new: FilePath) throws(FileError) -> ExclusiveRenaming {
  do throws(FileError) {
    try linkFile(from: old, to: new)
  } catch {
    switch error.errno {
    // Programs behind FUSE answer each of these if they have no hard links. A missing file or
    // folder is found by the look or by the rename.
    case .fileExists:
      try renameSpelling(from: old, to: new)
      return .link
    case .notPermitted, .notSupported, .noFunction, .invalidArgument,
      .noSuchFileOrDirectory, .tooManyLinks, .permissionDenied:
      try renameAfterLook(from: old, to: new)
      return .look
    default: throw error
    }
  }
  try removeFile(old)
  return .link
}

/// Renames if a look finds no file of the new name, or the same file by another spelling. The lock
/// of the folder excludes other processes of vmx; a file system without such locks has none.
func renameAfterLook(from old: FilePath, to new: FilePath) throws(FileError) {
  let folder = try OpenFile(new.folder, .readOnly, options: .directory, followingLinks: true)
  _ = linux_lock_folder(folder.descriptor.rawValue)
  if try FileFacts.of(new) == nil {
    try renameReplacing(from: old, to: new)
  } else {
    try renameSpelling(from: old, to: new)
  }
  _ = consume folder
}

/// Gives a file the existing name if that is another spelling of its own. A name that is free by
/// now may be taken in the next moment, so it counts as taken.
private func renameSpelling(from old: FilePath, to new: FilePath) throws(FileError) {
  guard try isSpelling(new, of: old) else { throw .failed(.rename, new, .fileExists) }
  try renameReplacing(from: old, to: new)
}

/// Whether the file system takes an existing name for another spelling of the old one: they differ
/// only in case or Unicode form, and no folder lists both.
package func isSpelling(_ new: FilePath, of old: FilePath) throws(FileError) -> Bool {
  guard new != old, new.string.foldedName == old.string.foldedName,
    new.components.count == old.components.count
  else { return false }
  var folder = new.root.map { FilePath(root: $0) } ?? FilePath(".")
  for (other, name) in zip(old.components, new.components) {
    // A folder that lists both names holds two files, or two folders of which one is not searched.
    if other != name, try lists(folder, [other, name]) { return false }
    folder.append(other)
  }
  return true
}

/// Whether a folder lists all of the names, byte by byte.
private func lists(_ path: FilePath, _ names: [FilePath.Component]) throws(FileError) -> Bool {
  var missing = Set(names.map { Array($0.string.utf8) })
  let folder = try OpenFolder(path, followingLinks: true)
  while !missing.isEmpty, let entry = try folder.next() { missing.remove(entry.name) }
  return missing.isEmpty
}

/// Gives a file another name on its file system. A symbolic link is not followed.
///
/// - Throws: `FileError.failed(.rename, to, …)`, with `.fileExists` if the name exists, and
///   `.improperLink` for another file system.
package func linkFile(from old: FilePath, to new: FilePath) throws(FileError) {
  let linked = old.withPlatformString { from in new.withPlatformString { to in link(from, to) } }
  if linked != 0 { throw FileCall.rename.lastError(new) }
}

/// Renames a file, replacing an existing file of the new name.
///
/// - Throws: `FileError.failed(.rename, …)`; both names are then unchanged.
package func renameReplacing(from old: FilePath, to new: FilePath) throws(FileError) {
  let renamed = old.withPlatformString { from in
    new.withPlatformString { to in rename(from, to) }
  }
  if renamed != 0 { throw FileCall.rename.lastError(new) }
}

/// Removes a name of a file.
///
/// - Throws: `FileError.failed(.remove, …)`, with `.noSuchFileOrDirectory` if it does not exist.
package func removeFile(_ path: FilePath) throws(FileError) {
  if path.withPlatformString({ unlink($0) }) != 0 { throw FileCall.remove.lastError(path) }
}
