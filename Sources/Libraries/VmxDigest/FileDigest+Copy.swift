package import SystemPackage
package import VmxModel
import VmxSystem

extension FileDigest {
  /// Digests a regular file that the user named; a symbolic link is followed.
  ///
  /// - Parameters:
  ///   - progress: called with the number of bytes digested so far.
  ///   - shouldStop: called often; true ends the work as interrupted.
  /// - Throws: as `ofCopy`.
  package static func ofInput(
    _ file: FilePath, progress: (ByteCount) -> Void = { _ in }, shouldStop: () -> Bool
  ) throws -> FileDigest {
    do {
      let input = try OpenFile(file, .readOnly, followingLinks: true)
      return try of(input.descriptor.rawValue) { read in
        progress(read)
        return shouldStop()
      }
    } catch let error as FileError {
      throw error.ofInput
    }
  }

  /// Copies a regular file to a new name, and digests the copy, while it is written if it is large.
  ///
  /// - Parameters:
  ///   - source: the file to read; a symbolic link is followed.
  ///   - target: the new name; no file has it after an error.
  ///   - progress: called with the number of bytes digested so far, on any thread.
  ///   - shouldStop: called often; true ends the work as interrupted.
  /// - Returns: the digests of the copy and of its segments.
  /// - Throws: as `copyFile`, and `WorkEnded.interrupted`, `DigestError.unreadable`.
  package static func ofCopy(
    from source: FilePath, to target: FilePath,
    progress: @escaping @Sendable (ByteCount) -> Void = { _ in },
    shouldStop: @escaping @Sendable () -> Bool
  ) throws -> FileDigest {
    let growth = FileGrowth()
    var digest: BackgroundWork<FileDigest>?
    do {
      let end = try copyFile(from: source, to: target) { copied in
        growth.extend(to: copied.bytes)
        if digest == nil, copied.bytes > 0 {
          digest = BackgroundWork("vmx-digest") {
            try Self.digest(of: target, behind: growth, progress, shouldStop)
          }
        }
        return shouldStop()
      }
      guard case .complete(let size, _) = end else { throw WorkEnded.interrupted }
      growth.extend(to: size.bytes)
      growth.close()
    } catch {
      growth.close(hasFailed: true)
      digest?.wait()
      throw error
    }
    do {
      return try digest?.result() ?? Self.digest(of: target, behind: nil, progress, shouldStop)
    } catch {
      RegularFile.discard(target)
      throw error
    }
  }

  private static func digest(
    of copy: FilePath, behind writer: FileGrowth?, _ progress: (ByteCount) -> Void,
    _ shouldStop: () -> Bool
  ) throws -> FileDigest {
    try withFile(copy) { descriptor in
      try of(descriptor, withSegments: true, behind: writer) { read in
        progress(read)
        return shouldStop()
      }
    }
  }
}
