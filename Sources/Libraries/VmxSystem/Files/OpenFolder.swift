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
/// parent folder while it is open does not affect them.
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
    try OpenFolder.withName(name) {
      FileFacts.at($0, in: descriptor, path: path.appending(entry: name))
    }.get()
  }

  /// The descriptor of the open folder.
  var descriptor: CInt { dirfd(stream) }

  private static var flags: CInt { O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC }

  /// Calls the body with a name as the system's calls take it.
  static func withName<R>(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
    (name.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // The buffer ends with a NUL, so it is never empty.
      buffer.baseAddress.map(body) ?? "".withCString(body)
    }
  }

  /// Some file systems do not report the kind of an entry (DT_UNKNOWN).
  private func kind(_ type: UInt8, _ name: [UInt8]) throws(FileError) -> FolderEntry.Kind {
    switch Int(type) {
    case Int(DT_REG): return .file
    case Int(DT_DIR): return .folder
    case Int(DT_UNKNOWN):
      let facts = try facts(of: name)
      return facts?.isRegular == true ? .file : facts?.isFolder == true ? .folder : .other
    default: return .other
    }
  }
}

/// Calls the body with the path and metadata of each regular file below a folder, in no particular
/// order, until it returns false.
///
/// Symbolic links are not followed, except the folder itself, and hidden folders are skipped. The
/// walk continues after a folder that cannot be read; the files in it are not
/// reported.
///
/// - Parameter other: called with the path of each symbolic link, FIFO, socket and device.
/// - Returns: an error for each folder that could not be read completely, except folders that were
///   removed during the walk.
package func forEachFile(
  below root: FilePath, other: (FilePath) -> Void = { _ in },
  _ body: (FilePath, FileFacts) -> Bool
) -> [FileError] {
  var folders: [FilePath] = [""]
  var errors: [FileError] = []
  while let path = folders.popLast() {
    do throws(FileError) {
      guard try visit(path, below: root, folders: &folders, other: other, body: body) else {
        return errors
      }
    } catch {
      // A missing root is an error: a walk without files would otherwise look like an empty folder.
      if path.isEmpty || !error.isOfVanished { errors.append(error) }
    }
  }
  return errors
}

private func visit(
  _ path: FilePath, below root: FilePath, folders: inout [FilePath],
  other: (FilePath) -> Void, body: (FilePath, FileFacts) -> Bool
) throws(FileError) -> Bool {
  let folder = try OpenFolder(
    path.isEmpty ? root : root.pushing(path), followingLinks: path.isEmpty)
  while let entry = try folder.next() {
    let path = path.appending(entry: entry.name)
    switch entry.kind {
    case .folder: if !entry.isHidden { folders.append(path) }
    case .file:
      guard let facts = try folder.facts(of: entry.name) else { continue }
      guard facts.isRegular else {
        other(path)
        continue
      }
      if !body(path, facts) { return false }
    case .other: other(path)
    }
  }
  return true
}
