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
  ///   - durable: whether the bytes and the name are on the disk when it returns. Otherwise a power
  ///     cut may leave the old file, the new one, or on some file systems an empty one.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file. The old file is then
  ///   unchanged. Only after a failed flush of the folder is it undefined which file a power cut
  ///   leaves.
  package static func replace(
    _ path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite,
    durable: Bool
  ) throws(FileError) {
    let temporary = path.folder.appending(LibraryLayout.temporaryName())
    do {
      try write(bytes, to: temporary, permissions, durable: durable)
      try renameReplacing(from: temporary, to: path)
    } catch {
      // The first error is more important than a failure to remove the temporary file.
      _ = temporary.withPlatformString { unlink($0) }
      throw error.about(path)
    }
    if durable { try syncFolder(path.folder) }
  }

  /// Creates a file with the given bytes under a new name, without flushing it to the disk.
  ///
  /// - Returns: false if the name exists; that file stays unchanged.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file.
  package static func create(
    _ path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) -> Bool {
    let temporary = path.folder.appending(LibraryLayout.temporaryName())
    do throws(FileError) {
      try write(bytes, to: temporary, permissions, durable: false)
      try renameNoReplace(from: temporary, to: path)
      return true
    } catch {
      _ = temporary.withPlatformString { unlink($0) }
      guard error.errno == .fileExists else { throw error.about(path) }
      return false
    }
  }

  /// Writes and flushes bytes to a temporary file in the same folder, which the caller then
  /// renames.
  ///
  /// - Returns: the path of the temporary file.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file, which is then
  ///   removed.
  package static func draft(
    of path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) -> FilePath {
    let temporary = path.folder.appending(LibraryLayout.temporaryName())
    do throws(FileError) {
      try write(bytes, to: temporary, permissions, durable: true)
      return temporary
    } catch {
      _ = temporary.withPlatformString { unlink($0) }
      throw error.about(path)
    }
  }

  private static func write(
    _ bytes: [UInt8], to temporary: FilePath, _ permissions: FilePermissions, durable: Bool
  ) throws(FileError) {
    let file = try OpenFile(
      temporary, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
    try file.write(bytes, at: 0)
    if fchmod(file.descriptor.rawValue, permissions.rawValue) != 0 {
      throw FileCall.write.lastError(temporary)
    }
    if durable { try fullSync(file.descriptor, of: temporary) }
  }
}
