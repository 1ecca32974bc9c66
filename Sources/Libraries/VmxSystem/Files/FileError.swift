import Glibc
package import SystemPackage
package import VmxModel

/// An error of a file that vmx owns, or of an input file that the user named.
package enum FileError: CodedError, Equatable {
  /// A call on a file of vmx failed.
  case failed(FileCall, FilePath, Errno)
  /// A call on an input file failed.
  case unreadable(FileCall, FilePath, Errno)
  /// A file of vmx is a symbolic link; vmx does not follow it.
  case isLink(FilePath)
  /// A file of vmx is not a regular file.
  case notRegular(FilePath)
  /// A file of vmx has content that cannot be parsed.
  case invalidContent(FilePath)
  /// An input file is not a regular file.
  case inputNotRegular(FilePath)
  /// An input file to read as a whole is larger than allowed.
  case inputTooLarge(FilePath, limit: ByteCount)
  /// An input file changed between the first and the last byte read.
  case changedWhileRead(FilePath)

  /// The error number, if a system call failed.
  package var errno: Errno? {
    switch self {
    case .failed(_, _, let errno), .unreadable(_, _, let errno): errno
    case .isLink: .tooManySymbolicLinkLevels
    case .notRegular, .invalidContent, .inputNotRegular, .inputTooLarge, .changedWhileRead: nil
    }
  }

  /// Whether another process removed the file or folder since it was listed, or replaced it by one
  /// of another kind.
  package var isOfVanished: Bool {
    [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(errno)
  }

  /// Whether the file system or the permissions of a folder allow no change, or the folder is gone
  /// with its root or its video.
  package var allowsNoChange: Bool {
    [.readOnlyFileSystem, .permissionDenied, .notPermitted, .noSuchFileOrDirectory].contains(errno)
  }

  /// The path of the file.
  package var path: FilePath {
    switch self {
    case .failed(_, let path, _), .unreadable(_, let path, _): path
    case .isLink(let path), .notRegular(let path), .invalidContent(let path),
      .inputNotRegular(let path), .inputTooLarge(let path, _), .changedWhileRead(let path):
      path
    }
  }

  package var code: ErrorCode {
    switch self {
    case .failed(let call, _, let errno):
      switch errno {
      case .noSpace, .diskQuotaExceeded: .diskFull
      case .fileTooLarge: .fileTooLarge
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: .resourcesShort
      case .fileExists where call == .rename || call == .link: .nameTaken
      default: .mediaUnwritable
      }
    case .unreadable(_, _, let errno):
      switch errno {
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory: .resourcesShort
      default: .inputMissing
      }
    case .isLink, .notRegular, .invalidContent: .mediaUnwritable
    case .inputNotRegular, .inputTooLarge: .inputMissing
    case .changedWhileRead: .inputChanged
    }
  }

  package var summary: String {
    switch self {
    case .failed(let call, let path, let errno), .unreadable(let call, let path, let errno):
      "cannot \(call.rawValue) '\(path)': \(errno.message)"
    case .isLink(let path): "'\(path)' is a symbolic link"
    case .notRegular(let path), .inputNotRegular(let path):
      "'\(path)' is not a regular file"
    case .invalidContent(let path): "the content of '\(path)' is invalid"
    case .inputTooLarge(let path, let limit): "'\(path)' is larger than \(limit.bytes) bytes"
    case .changedWhileRead(let path): "'\(path)' changed while it was read"
    }
  }

  /// Returns the same error with the path that the user knows, in place of a relative or temporary
  /// one.
  package func about(_ path: FilePath) -> FileError {
    guard case .failed(let call, _, let errno) = self else { return self }
    return .failed(call, path, errno)
  }

  /// Returns the same error as an error of an input file.
  package var ofInput: FileError {
    switch self {
    case .failed(let call, let path, let errno): .unreadable(call, path, errno)
    case .isLink(let path): .unreadable(.open, path, .tooManySymbolicLinkLevels)
    case .notRegular(let path): .inputNotRegular(path)
    default: self
    }
  }
}

/// The file system calls whose failures are reported to the user, as named in messages.
package enum FileCall: String, Sendable {
  case open, read, write, lock, map, copy, rename, link, allocate, truncate, remove
  case inspect = "inspect"
  case sync = "flush"
  case makeFolder = "create the folder"
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

extension Errno {
  /// The error of the C call that has just failed on this thread.
  package static var last: Errno { Errno(rawValue: errno) }

  /// The system's error message, beginning in lower case, for the end of a message.
  package var message: String {
    let text = description
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
