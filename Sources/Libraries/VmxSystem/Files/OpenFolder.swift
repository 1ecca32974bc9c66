import Glibc
package import SystemPackage

/// An entry of a folder.
package struct FolderEntry: Sendable, Equatable {
  /// The kind of an entry, without following links.
  package enum Kind: Sendable {
    case file, folder, other
  }

  /// The bytes of the name; they need not be UTF-8.
  package let name: [UInt8]
  /// The kind of the file.
  package let kind: Kind

  /// Whether its name begins with a dot.
  package var isHidden: Bool { name.first == UInt8(ascii: ".") }
}

/// An open folder whose entries are accessed relative to it (openat). Renaming or replacing a
/// parent folder meanwhile does not affect them.
package struct OpenFolder: ~Copyable {
  /// The path by which it was opened, for messages.
  package let path: FilePath
  /// The device number.
  package let device: UInt64
  private let stream: OpaquePointer

  /// Opens a folder.
  ///
  /// - Parameter followingLinks: whether the last component may be a symbolic link.
  /// - Throws: `FileError.failed(.open, …)`.
  package init(_ path: FilePath, followingLinks: Bool = false) throws(FileError) {
    let flags = followingLinks ? OpenFolder.flags & ~O_NOFOLLOW : OpenFolder.flags
    try self.init(path) { path.withPlatformString { open($0, flags) } }
  }

  /// Opens a subfolder of an open folder.
  ///
  /// - Throws: `FileError.failed(.open, …)`, with `.notDirectory` or `.tooManySymbolicLinkLevels`
  ///   if the name now belongs to another kind of file.
  package init(_ name: [UInt8], in parent: borrowing OpenFolder) throws(FileError) {
    let descriptor = parent.descriptor
    try self.init(parent.path.appending(entry: name)) {
      OpenFolder.withName(name) { openat(descriptor, $0, OpenFolder.flags) }
    }
  }

  private init(_ path: FilePath, _ opening: () -> CInt) throws(FileError) {
    let descriptor = try FileCall.open.retrying(path, opening)
    var facts = Glibc.stat()
    guard fstat(descriptor, &facts) == 0, let stream = fdopendir(descriptor) else {
      let error = FileCall.open.lastError(path)
      _ = Glibc.close(descriptor)
      throw error
    }
    self.path = path
    self.stream = stream
    device = UInt64(facts.st_dev)
  }

  deinit { closedir(stream) }

  /// Returns the next entry, in no particular order; nil at the end. `.` and `..` are skipped.
  ///
  /// - Throws: `FileError.failed(.list, …)`.
  package func next() throws(FileError) -> FolderEntry? {
    while true {
      // Only errno distinguishes the end of a folder from a failure.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw FileCall.list.lastError(path) }
        return nil
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      return FolderEntry(name: name, kind: try kind(entry.pointee.d_type, name))
    }
  }

  /// Returns the metadata of an entry without following a link; nil if it no longer exists.
  ///
  /// - Throws: `FileError.failed(.inspect, …)`.
  package func facts(of name: [UInt8]) throws(FileError) -> FileFacts? {
    try status(of: name).map { FileFacts($0) }
  }

  private var descriptor: CInt { dirfd(stream) }

  private static var flags: CInt { O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC }

  private static func withName<R>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
    (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // The buffer ends with a NUL, so it is never empty.
      buffer.baseAddress.map(body) ?? "".withCString(body)
    }
  }

  private func status(of name: [UInt8]) throws(FileError) -> Glibc.stat? {
    var facts = Glibc.stat()
    let result = Self.withName(name) { fstatat(descriptor, $0, &facts, AT_SYMLINK_NOFOLLOW) }
    if result == 0 { return facts }
    let error = FileCall.inspect.lastError(path.appending(entry: name))
    guard error.errno == .noSuchFileOrDirectory else { throw error }
    return nil
  }

  /// Some file systems do not report the kind of an entry (DT_UNKNOWN).
  private func kind(_ type: UInt8, _ name: [UInt8]) throws(FileError) -> FolderEntry.Kind {
    switch Int(type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .folder
    case Int(DT_UNKNOWN):
      let mode = try status(of: name).map { $0.st_mode & S_IFMT }
      return mode == S_IFREG ? .file : mode == S_IFDIR ? .folder : .other
    default: return .other
    }
  }
}

extension FilePath {
  /// Returns the path with another component of arbitrary bytes.
  package func appending(entry name: [UInt8]) -> FilePath {
    let separated = self.isEmpty ? [] : Array(bytes) + [UInt8(ascii: "/")]
    return FilePath(bytes: separated + name)
  }

  /// The bytes of the path.
  package var bytes: [UInt8] {
    withPlatformString { text in
      UnsafeBufferPointer(start: text, count: length).map { UInt8(bitPattern: $0) }
    }
  }

  /// Creates a path from bytes, up to the first NUL.
  package init(bytes: [UInt8]) {
    self = (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { text in
      text.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}

/// Removes a folder if it is empty.
///
/// - Returns: false if the folder is not empty.
/// - Throws: `FileError.failed(.remove, …)`, also if it does not exist or is not a folder.
package func removeFolderIfEmpty(_ path: FilePath) throws(FileError) -> Bool {
  if path.withPlatformString({ rmdir($0) }) == 0 { return true }
  let error = FileCall.remove.lastError(path)
  guard error.errno == .directoryNotEmpty || error.errno == .fileExists else { throw error }
  return false
}
