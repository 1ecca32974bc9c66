import Glibc
package import SystemPackage

/// Replaces whole files so that a reader sees either the old bytes or the new, never a mixture.
///
/// The new bytes are written under a name of their own in the same folder, which begins with
/// `.vmx-` and ends with `.tmp`. A failure removes that file; only a crash can leave it behind,
/// and then nothing ever reads it.
package enum AtomicFile {
  /// Puts a file with the given bytes in the place of the one at the path, if there is one.
  ///
  /// A symbolic link at the path is replaced, not followed.
  ///
  /// - Parameters:
  ///   - permissions: of the new file, whatever the umask and the old file's were.
  ///   - durable: whether the bytes and the name are on the disk when it returns. If not, a power
  ///     cut may leave the old file, the new one, or on some file systems an empty one.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file. The old file is then as it was, except that a failed flush of
  ///   the folder leaves open which of the two will be there after a power cut.
  package static func replace(
    _ path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite,
    durable: Bool
  ) throws(FileError) {
    let temporary = path.folder.appending(temporaryName())
    do {
      try write(bytes, to: temporary, permissions, durable: durable)
      try renameReplacing(from: temporary, to: path)
    } catch {
      // The reason is more worth telling than that there was nothing to remove.
      _ = temporary.withPlatformString { unlink($0) }
      throw error.about(path)
    }
    if durable { try syncFolder(path.folder) }
  }

  /// Gives a file with the given bytes a name that no other file has, without waiting for the disk.
  ///
  /// - Returns: false if there is a file of that name, which is left as it is.
  /// - Throws: `FileError.failed`, naming the path and not the temporary file.
  package static func create(
    _ path: FilePath, with bytes: [UInt8], mode permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) -> Bool {
    let temporary = path.folder.appending(temporaryName())
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

  /// Whether a file name is one of those temporary names; such a file is left by a crash, or in
  /// use for a moment.
  package static func isTemporary(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.starts(with: ".vmx-".utf8) && name.suffix(4).elementsEqual(".tmp".utf8)
  }

  /// A name that nothing else has: 16 random hexadecimal digits, hidden, recognisable.
  static func temporaryName() -> FilePath.Component {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    let padding = String(repeating: "0", count: 16 - digits.count)
    // The text has neither a slash nor a NUL, so it is always one component.
    return FilePath.Component(".vmx-\(padding)\(digits).tmp") ?? ".vmx.tmp"
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
