package import SystemPackage

/// The system calls on files that fail in ways a person has to hear of, as messages name them.
package enum FileCall: String, Sendable {
  case open, read, write, close, lock, map, copy, rename, link, allocate, truncate, remove
  case inspect = "look at"
  case sync = "flush"
  case makeFolder = "make the folder"
  case list = "list"
}

extension FileCall {
  /// Runs calls of swift-system and names what failed.
  ///
  /// - Parameters:
  ///   - path: the file that a message names.
  ///   - body: may throw nothing but `Errno`; anything else counts as an input/output error.
  /// - Returns: what the body returns.
  /// - Throws: `FileError.failed` with this call, the path and the body's `Errno`.
  package func on<R>(_ path: FilePath, _ body: () throws -> R) throws(FileError) -> R {
    do {
      return try body()
    } catch {
      throw .failed(self, path, error as? Errno ?? .ioError)
    }
  }

  /// The error of the C call that has just failed on this thread.
  func lastError(_ path: FilePath) -> FileError {
    .failed(self, path, .last)
  }

  /// Runs a C call again while signals interrupt it.
  ///
  /// - Parameter body: gives a negative number and sets `errno` where it fails.
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
