import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// Reads a whole regular file; a symbolic link is followed.
///
/// - Returns: the bytes; empty for the null device, and nil if the file does not exist.
/// - Throws: `FileError.inputNotRegular` for other kinds of files, `.inputTooLarge` beyond the
///   limit, and `.unreadable`.
package func readFile(_ path: FilePath, limit: ByteCount) throws(FileError) -> [UInt8]? {
  do throws(FileError) {
    let file = try OpenFile(path, .readOnly, followingLinks: true)
    let size = try file.facts().size
    guard size <= limit.bytes else { throw .inputTooLarge(path, limit: limit) }
    return try file.read(Int(size), at: 0)
  } catch {
    switch error {
    case .failed(.open, _, .noSuchFileOrDirectory), .failed(.open, _, .notDirectory): return nil
    case .notRegular where isNullDevice(path): return []
    default: throw error.ofInput
    }
  }
}

/// Whether a path leads to `/dev/null`.
private func isNullDevice(_ path: FilePath) -> Bool {
  var found = stat()
  var null = stat()
  return path.withPlatformString { stat($0, &found) } == 0 && stat("/dev/null", &null) == 0
    && found.st_mode & S_IFMT == S_IFCHR && found.st_rdev == null.st_rdev
}

/// Reads a small file that the kernel generates, whose size is not known in advance.
///
/// - Returns: at most 1 MiB of it as text; nil if it cannot be read.
func readText(_ path: FilePath) -> String? {
  do throws(FileError) {
    let file = try OpenFile(path, .readOnly)
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let piece = try file.read(max(4096, bytes.count), at: Int64(bytes.count))
      if piece.isEmpty { break }
      bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
  } catch {
    return nil
  }
}

/// A file in memory (memfd), used as the standard input of a program without a thread that writes
/// while the program reads.
package struct MemoryFile: ~Copyable {
  /// The descriptor, positioned at the first byte; closed when the value is destroyed.
  package let descriptor: FileDescriptor

  /// Creates a file with these bytes.
  ///
  /// - Throws: `FileError` if memory or descriptors are exhausted.
  package init(_ name: String, holding bytes: [UInt8]) throws(FileError) {
    let path = FilePath("/memfd:\(name)")
    var opened: Int32 = -1
    let error = linux_memory_file(name, &opened)
    guard error == 0 else { throw .failed(.open, path, Errno(rawValue: error)) }
    let descriptor = FileDescriptor(rawValue: opened)
    do {
      // Writes at absolute offsets, so that the reader of the descriptor starts at the beginning.
      _ = try FileCall.write.on(path) { try descriptor.writeAll(toAbsoluteOffset: 0, bytes) }
    } catch {
      _ = Glibc.close(opened)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { _ = Glibc.close(descriptor.rawValue) }
}

/// Operations on the regular file at a path; they do not follow symbolic links.
package enum RegularFile {
  /// Returns the size of the file; nil if it does not exist.
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

  /// Reads like `prefix`; returns nil if the file does not exist.
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

  /// Removes a temporary file after an error, which is more important than this one. A file that
  /// cannot be removed has a name by which `vmx clean`, or the next run of its tool, removes it.
  package static func discard(_ path: FilePath) {
    do throws(FileError) {
      try remove(path)
    } catch {
      return
    }
  }

  /// Removes the file if it exists.
  package static func remove(_ path: FilePath) throws(FileError) {
    do throws(FileError) {
      try removeFile(path)
    } catch  where error.errno == .noSuchFileOrDirectory {
      return
    }
  }
}
