import Glibc
package import SystemPackage

/// A temporary folder for one test; it is deleted with the last reference to it.
package final class ScratchFolder: Sendable {
  /// Its path: absolute, without symbolic links; the mode is 0700.
  package let path: FilePath

  /// Creates an empty folder under `TMPDIR`, otherwise under `/tmp`.
  ///
  /// - Throws: `Errno` if it cannot be created.
  package init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/vmx-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    guard let real = realpath(&template, nil) else { throw Errno(rawValue: errno) }
    defer { free(real) }
    path = FilePath(platformString: real)
  }

  deinit {
    Self.remove(path)
  }

  /// Returns the path of a name in the folder.
  package func path(_ name: String) -> FilePath {
    path.pushing(FilePath(name))
  }

  /// Writes a file and creates missing parent folders; an existing file is replaced.
  package func write(_ name: String, _ text: String) throws {
    try write(name, Array(text.utf8))
  }

  /// Writes a file and creates missing parent folders; an existing file is replaced.
  package func write(_ name: String, _ bytes: [UInt8]) throws {
    let file = path(name)
    try makeFolder(file.removingLastComponent())
    let descriptor = try FileDescriptor.open(
      file, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: [.ownerReadWrite])
    _ = try descriptor.closeAfter { try descriptor.writeAll(bytes) }
  }

  /// Returns the bytes of a file.
  ///
  /// - Throws: `Errno`, usually `.noSuchFileOrDirectory`.
  package func bytes(_ name: String) throws -> [UInt8] {
    let descriptor = try FileDescriptor.open(path(name), .readOnly, options: .closeOnExec)
    return try descriptor.closeAfter {
      var all: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = try piece.withUnsafeMutableBytes { try descriptor.read(into: $0) }
        if count == 0 { return all }
        all += piece[..<count]
      }
    }
  }

  /// Returns the text of a file; invalid UTF-8 becomes U+FFFD.
  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  /// Whether the name exists, even as a dangling symbolic link.
  package func exists(_ name: String) -> Bool {
    var status = stat()
    return lstat(path(name).string, &status) == 0
  }

  /// Returns the names in a subfolder, sorted; empty if there is no such folder.
  package func names(in folder: String = ".") -> [String] {
    Self.names(in: path(folder)).sorted()
  }

  /// Creates a subfolder and missing parent folders.
  package func makeFolder(_ name: String) throws {
    try makeFolder(path(name))
  }

  private func makeFolder(_ folder: FilePath) throws {
    if mkdir(folder.string, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, folder != path else { throw Errno(rawValue: errno) }
    try makeFolder(folder.removingLastComponent())
    guard mkdir(folder.string, 0o700) == 0 || errno == EEXIST else {
      throw Errno(rawValue: errno)
    }
  }

  private static func remove(_ path: FilePath) {
    if unlink(path.string) == 0 { return }
    // A test may have removed the permissions.
    chmod(path.string, 0o700)
    for name in names(in: path) { remove(path.pushing(FilePath(name))) }
    rmdir(path.string)
  }

  private static func names(in folder: FilePath) -> [String] {
    guard let stream = opendir(folder.string) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
