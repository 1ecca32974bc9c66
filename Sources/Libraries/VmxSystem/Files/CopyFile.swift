import CLinux
import Glibc
package import SystemPackage
package import VmxModel

/// The ways to copy a file, cheapest first.
package enum CopyMethod: Sendable, CaseIterable {
  /// Both files share the blocks until one is written to.
  case clone
  /// The kernel copies.
  case kernel
  /// We read and write.
  case plain
}

/// How a copy ended.
package enum CopyEnd: Sendable, Equatable {
  /// All bytes are there, written but not flushed.
  case complete(ByteCount, by: CopyMethod)
  /// It was told to stop; there is no copy.
  case stopped
}

/// Copies a regular file to a name that nothing has, by the cheapest way the file systems know.
///
/// The copy is not durable before `dataSync` and `syncFolder`. Whatever the copy does not end
/// with `complete` leaves nothing under the new name.
///
/// - Parameters:
///   - source: the file to read; a symbolic link is followed.
///   - target: the new name.
///   - permissions: of the copy, less the umask.
///   - methods: the ways that may be tried, in this order.
///   - shouldStop: asked before each piece of 16 MiB with the number of bytes copied so far; it
///     is asked at least once.
/// - Throws: `FileError.unreadable` or `.inputNotRegular` for the source, `.changedWhileRead` if its
///   size or time of change is another after the last byte than before the first, and
///   `FileError.failed` for the target, `.fileExists` and code `name-taken` if the name is taken.
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
    // The reason is more worth telling than that the torn copy could not be removed.
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

/// Moves the bytes between two open files, neither of which is where the other is.
private struct FileCopier: ~Copyable {
  static let pieceSize: Int64 = 16 << 20
  static let meansUnable: [Errno] = [
    .improperLink, .invalidArgument, .noFunction, .notSupported, .notPermitted,
  ]

  let input: OpenFile
  let output: OpenFile

  /// Copies by the first way that works and compares what the source was before and after.
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
    // Whatever the reason is: if it also hinders the other ways, they tell it.
    return error == 0 ? .complete(ByteCount(clamping: length), by: .clone) : nil
  }

  /// Nil where this pair of file systems cannot do it; nothing has been copied then.
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
        // Some kernels give 0 at once for files whose bytes they make up as they are read.
        if copied == 0, offset == 0, length > 0 { return nil }
        if copied == 0 { return .complete(ByteCount(clamping: offset), by: .kernel) }
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
    }
    return .complete(ByteCount(clamping: offset), by: .plain)
  }
}
