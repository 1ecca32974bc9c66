import Glibc
package import SystemPackage

/// An open file that is closed when its owner is destroyed.
///
/// Child processes do not inherit it (O_CLOEXEC). A symbolic link in the last component is followed
/// only if requested. It is a regular file, or a folder if the options ask for one. Other kinds are
/// refused without blocking (O_NONBLOCK): opening a named pipe would wait for its other end, and a
/// device may never end. Reads and writes use explicit offsets, so that any number of threads can
/// share one.
package struct OpenFile: ~Copyable, Sendable {
  /// The path by which it was opened, for messages.
  package let path: FilePath
  /// The descriptor, valid as long as the owner exists; only the owner closes it.
  package let descriptor: FileDescriptor

  /// Opens or creates a regular file, or opens a folder.
  ///
  /// - Parameters:
  ///   - options: with `.directory` the path must lead to a folder, else to a regular file.
  ///   - followingLinks: whether the last component may be a symbolic link.
  ///   - permissions: permissions of a created file, less the umask.
  /// - Throws: `FileError.failed(.open, …)`; `.notRegular` for anything but a regular file.
  package init(
    _ path: FilePath, _ mode: FileDescriptor.AccessMode,
    options: FileDescriptor.OpenOptions = [], followingLinks: Bool = false,
    permissions: FilePermissions = .ownerReadWrite
  ) throws(FileError) {
    var safe = options.union([.closeOnExec, .nonBlocking])
    if !followingLinks { safe.insert(.noFollow) }
    let descriptor: FileDescriptor
    do throws(FileError) {
      descriptor = try FileCall.open.on(path) {
        try FileDescriptor.open(
          path, mode, options: safe, permissions: options.contains(.create) ? permissions : nil)
      }
    } catch {
      // O_NOFOLLOW reports a link as a loop (ELOOP).
      guard error.errno == .tooManySymbolicLinkLevels, !followingLinks,
        try FileFacts.of(path)?.isLink == true
      else { throw error }
      throw .isLink(path)
    }
    do throws(FileError) {
      if !options.contains(.directory) { try Self.checkKind(of: descriptor, path) }
    } catch {
      _ = Glibc.close(descriptor.rawValue)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  /// Opens a regular file of an open folder for reading; a symbolic link is not followed.
  ///
  /// - Throws: `FileError.failed(.open, …)`; `.notRegular` for anything but a regular file.
  package init(_ name: [UInt8], in folder: borrowing OpenFolder) throws(FileError) {
    let path = folder.path.appending(entry: name)
    let parent = folder.descriptor
    let opened = try FileCall.open.retrying(path) {
      OpenFolder.withName(name) {
        openat(parent, $0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      }
    }
    let descriptor = FileDescriptor(rawValue: opened)
    do throws(FileError) {
      try Self.checkKind(of: descriptor, path)
    } catch {
      _ = Glibc.close(opened)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
  }

  private static func checkKind(
    of descriptor: FileDescriptor, _ path: FilePath
  ) throws(FileError) {
    var facts = Glibc.stat()
    if fstat(descriptor.rawValue, &facts) != 0 { throw FileCall.inspect.lastError(path) }
    guard FileFacts(facts).isRegular else { throw .notRegular(path) }
  }

  deinit {
    // Important bytes were flushed before, with errors reported; no caller needs the result of
    // close.
    _ = Glibc.close(descriptor.rawValue)
  }

  /// Returns the current metadata of the file.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package func facts() throws(FileError) -> FileFacts {
    var facts = Glibc.stat()
    if fstat(descriptor.rawValue, &facts) != 0 { throw FileCall.inspect.lastError(path) }
    return FileFacts(facts)
  }

  /// Reads until the buffer is full or the file ends.
  ///
  /// - Returns: the number of bytes read; less than requested only at the end of the file.
  /// - Throws: `FileError.failed(.read, …)`.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = try FileCall.read.retrying(path) {
        pread(descriptor.rawValue, start + done, buffer.count - done, off_t(offset) + done)
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Reads bytes until that many are read or the file ends.
  ///
  /// - Throws: `FileError.failed(.read, …)`.
  package func read(_ count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let done = try read(into: &bytes, limit: count, at: offset)
    if done < count { bytes.removeLast(count - done) }
    return bytes
  }

  /// Reads into the front of an array until that many bytes are read or the file ends.
  ///
  /// - Returns: the number of bytes read.
  /// - Throws: `FileError.failed(.read, …)`.
  package func read(
    into bytes: inout [UInt8], limit: Int, at offset: Int64
  ) throws(FileError) -> Int {
    // withUnsafeMutableBytes does not support typed throws, so the error leaves it in a Result.
    let outcome = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(FileError) in
        try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(limit)), at: offset)
      }
    }
    return try outcome.get()
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: `FileError.failed(.write, …)`; some of the bytes may then have been written.
  package func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64
  ) throws(FileError) {
    guard let start = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      done += try FileCall.write.retrying(path) {
        pwrite(descriptor.rawValue, start + done, bytes.count - done, off_t(offset) + done)
      }
    }
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: `FileError.failed(.write, …)`; some of the bytes may then have been written.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
    // withUnsafeBytes does not support typed throws, so the error leaves the closure in a Result.
    let outcome = bytes.withUnsafeBytes { buffer in
      Result { () throws(FileError) in try write(buffer, at: offset) }
    }
    try outcome.get()
  }

  /// Sets the length of the file, truncating it or adding zeros.
  ///
  /// - Throws: `FileError.failed(.truncate, …)`.
  package func truncate(to length: Int64) throws(FileError) {
    _ = try FileCall.truncate.retrying(path) { ftruncate(descriptor.rawValue, off_t(length)) }
  }
}

/// Opens a regular file for reading during the call of a closure; a symbolic link is not followed.
///
///     let digest = try withFile(path) { try FileDigest.of($0) }
///
/// - Parameter body: called with the descriptor.
/// - Throws: `FileError` if it cannot be opened; errors of the closure.
package func withFile<Value>(
  _ path: FilePath, _ body: (Int32) throws -> Value
) throws -> Value {
  let file = try OpenFile(path, .readOnly)
  return try body(file.descriptor.rawValue)
}
