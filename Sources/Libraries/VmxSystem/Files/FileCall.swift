package import SystemPackage

/// The file system calls whose failures are reported to the user, as named in messages.
package enum FileCall: String, Sendable {
  case open, read, write, close, lock, map, copy, rename, link, allocate, truncate, remove
  case inspect = "look at"
  case sync = "flush"
  case makeFolder = "make the folder"
  case list = "list"
}

extension FileCall {
  /// Runs calls of swift-system and converts their errors.
  ///
  /// - Parameters:
  ///   - path: the file that a message names.
  ///   - body: may throw only `Errno`; any other error counts as an input/output error.
  /// - Returns: the value that the body returns.
  /// - Throws: `FileError.failed` with this call, the path and the body's `Errno`.
  package func on<R>(_ path: FilePath, _ body: () throws -> R) throws(FileError) -> R {
    do {
      return try body()
    } catch {
      throw .failed(self, path, error as? Errno ?? .ioError)
    }
  }

  /// Returns the error of the C call that has just failed on this thread.
  func lastError(_ path: FilePath) -> FileError {
    .failed(self, path, .last)
  }

  /// Retries a C call while signals interrupt it (EINTR).
  ///
  /// - Parameter body: returns a negative number and sets `errno` on failure.
  func retrying<N: FixedWidthInteger & SignedInteger>(
    _ path: FilePath, _ body: () -> N
  ) throws(FileError) -> N {
    while true {
      let result = body()
      if result >= 0 { return result }
      if Errno.last != .interrupted { throw lastError(path) }
    }
  }
}
