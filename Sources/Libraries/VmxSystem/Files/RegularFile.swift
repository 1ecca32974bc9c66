package import SystemPackage
package import VmxModel

/// Operations on the regular file at a path; they do not follow symbolic links.
package enum RegularFile {
  /// Returns the size of the file; nil where none exists.
  ///
  /// - Throws: also for a symbolic link or anything else that is not a regular file.
  package static func size(of path: FilePath) throws(FileError) -> ByteCount? {
    guard let facts = try FileFacts.of(path) else { return nil }
    guard facts.isRegular else { throw .failed(.open, path, .tooManySymbolicLinkLevels) }
    return ByteCount(facts.size)
  }

  /// Reads at most `count` bytes from the start of the file.
  package static func prefix(of path: FilePath, upTo count: Int) throws(FileError) -> [UInt8] {
    try OpenFile(path, .readOnly).read(count, at: 0)
  }

  /// Reads like `prefix`; nil where no file exists.
  package static func prefixIfPresent(of path: FilePath, upTo count: Int) throws(FileError)
    -> [UInt8]?
  {
    do throws(FileError) {
      return try prefix(of: path, upTo: count)
    } catch {
      if error.errno == .noSuchFileOrDirectory { return nil }
      throw error
    }
  }

  /// Flushes the bytes of the file to the disk.
  package static func flush(_ path: FilePath) throws(FileError) {
    let file = try OpenFile(path, .readOnly)
    try dataSync(file.descriptor, of: path)
  }

  /// Removes it, if it is there.
  package static func remove(_ path: FilePath) throws(FileError) {
    do throws(FileError) {
      try removeFile(path)
    } catch  where error.errno == .noSuchFileOrDirectory {
      return
    }
  }
}
