import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// The methods to copy a file, cheapest first.
package enum CopyMethod: Sendable, CaseIterable {
  /// Both files share their blocks until one is written to (reflink).
  case clone
  /// The kernel copies the bytes.
  case kernel
  /// This process reads and writes the bytes.
  case plain
}

/// The outcome of a copy.
package enum CopyEnd: Sendable, Equatable {
  /// All bytes were written but not flushed.
  case complete(ByteCount, by: CopyMethod)
  /// The caller stopped the copy; no copy exists.
  case stopped
}

/// Copies a regular file to a new name, by the cheapest method that the file systems support.
///
/// The copy is durable only after `dataSync` and `syncFolder`. A copy that does not end with
/// `complete` leaves no file under the new name.
///
/// - Parameters:
///   - source: the file to read; a symbolic link is followed.
///   - target: the new name.
///   - permissions: permissions of the copy, less the umask.
///   - methods: the methods to try, in this order.
///   - shouldStop: called before each piece of 16 MiB, and at least once, with the number of bytes
///     copied so far.
/// - Throws: `FileError.unreadable` or `.inputNotRegular` for the source. `.changedWhileRead` if
///   its size or modification time differs between start and end. `FileError.failed` for the
///   target, with `.fileExists` and code `name-taken` if the name exists.
package func copyFile(
  from source: FilePath, to target: FilePath,
  mode permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead],
  methods: [CopyMethod] = CopyMethod.allCases, shouldStop: (ByteCount) -> Bool = { _ in false }
) throws(FileError) -> CopyEnd {
  let copier = FileCopier(input: try openSource(source), output: try create(target, permissions))
  do throws(FileError) {
    let end = try copier.copy(by: methods, shouldStop: shouldStop)
    if end == .stopped { try removeFile(target) }
    return end
  } catch {
    // The first error is more important than a failure to remove the incomplete copy.
    _ = target.withPlatformString { unlink($0) }
    throw error
  }
}

private func openSource(_ path: FilePath) throws(FileError) -> OpenFile {
  do throws(FileError) {
    return try OpenFile(path, .readOnly, followingLinks: true)
  } catch {
    throw error.ofInput
  }
}

private func create(
  _ path: FilePath, _ permissions: FilePermissions
) throws(FileError) -> OpenFile {
  do throws(FileError) {
    return try OpenFile(
      path, .writeOnly, options: [.create, .exclusiveCreate], permissions: permissions)
  } catch  where error.errno == .fileExists {
    throw .failed(.link, path, .fileExists)
  }
}

/// Copies the bytes between two open files, whose file offsets it does not use.
private struct FileCopier: ~Copyable {
  static let pieceSize: Int64 = 16 << 20
  static let meansUnable: [Errno] = [
    .improperLink, .invalidArgument, .noFunction, .notSupported, .notPermitted,
  ]

  let input: OpenFile
  let output: OpenFile

  /// Copies by the first method that works, and checks that the source did not change during it.
  func copy(
    by methods: [CopyMethod], shouldStop: (ByteCount) -> Bool
  ) throws(FileError) -> CopyEnd {
    let before = try sourceFacts()
    if shouldStop(ByteCount(clamping: 0)) { return .stopped }
    for method in methods {
      let end: CopyEnd? =
        switch method {
        case .clone: clone(before.size)
        case .kernel: try copyInKernel(before.size, shouldStop)
        case .plain: try copyPlainly(shouldStop)
        }
      guard let end else { continue }
      if end == .stopped { return end }
      guard try sourceFacts().isSameContent(as: before) else { throw .changedWhileRead(input.path) }
      return end
    }
    throw .failed(.copy, output.path, .notSupported)
  }

  private func sourceFacts() throws(FileError) -> FileFacts {
    do throws(FileError) { return try input.facts() } catch { throw error.ofInput }
  }

  private func clone(_ length: Int64) -> CopyEnd? {
    let error = linux_clone(input.descriptor.rawValue, output.descriptor.rawValue)
    // The reason does not matter: if it also affects the other methods, they report it.
    return error == 0 ? .complete(ByteCount(clamping: length), by: .clone) : nil
  }

  /// Copies by copy_file_range; nil if this pair of file systems does not support it, with nothing
  /// copied.
  private func copyInKernel(
    _ length: Int64, _ shouldStop: (ByteCount) -> Bool
  ) throws(FileError) -> CopyEnd? {
    var offset: Int64 = 0
    while true {
      if offset > 0, shouldStop(ByteCount(clamping: offset)) { return .stopped }
      var copied: Int64 = 0
      let error = Errno(
        rawValue: linux_copy_range(
          input.descriptor.rawValue, output.descriptor.rawValue, offset, Self.pieceSize, &copied))
      switch error {
      case Errno(rawValue: 0):
        // For files with generated contents, some kernels return 0 immediately.
        if copied == 0, offset == 0, length > 0 { return nil }
        if copied == 0 { return .complete(ByteCount(clamping: offset), by: .kernel) }
        // The disk writes while the next piece is copied, so that the caller's flush takes less
        // time.
        beginWriteBack(output.descriptor, from: offset, copied)
        offset += copied
      case .interrupted: continue
      case _ where offset == 0 && Self.meansUnable.contains(error): return nil
      default: throw .failed(.copy, output.path, error)
      }
    }
  }

  private func copyPlainly(_ shouldStop: (ByteCount) -> Bool) throws(FileError) -> CopyEnd {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      if offset > 0, offset % Self.pieceSize == 0, shouldStop(ByteCount(clamping: offset)) {
        return .stopped
      }
      let count: Int
      do {
        count = try input.read(into: buffer, at: offset)
      } catch {
        throw error.ofInput
      }
      if count == 0 { break }
      try output.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
      offset += Int64(count)
      if offset % Self.pieceSize == 0 {
        beginWriteBack(output.descriptor, from: offset - Self.pieceSize, Self.pieceSize)
      }
    }
    return .complete(ByteCount(clamping: offset), by: .plain)
  }
}
