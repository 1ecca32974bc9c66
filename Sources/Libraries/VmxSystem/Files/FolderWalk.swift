import Glibc
package import SystemPackage

/// Meets every regular file below a folder, once.
///
/// Symbolic links are neither met nor followed, and hidden folders are passed over. A folder that
/// goes away or cannot be read while the walk is on is passed over too: what it held is not met.
package struct FolderWalk {
  private let root: FilePath

  /// A walk below a folder, in no particular order.
  package init(_ root: FilePath) {
    self.root = root
  }

  /// Calls the body with the path of each file below the folder and what the kernel says of it,
  /// until it gives false.
  package func forEachFile(_ body: (FilePath, FileFacts) -> Bool) {
    var folders: [FilePath] = [""]
    while let folder = folders.popLast() {
      guard let stream = open(folder) else { continue }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        guard let name = Self.name(of: entry) else { continue }
        let path = folder.appending(name)
        switch Self.facts(of: entry, in: dirfd(stream)) {
        case .folder?: if !name.string.hasPrefix(".") { folders.append(path) }
        case .file(let facts)?: if !body(path, facts) { return }
        case nil: continue
        }
      }
    }
  }

  private enum Thing {
    case folder
    case file(FileFacts)
  }

  /// The folder itself may be reached by a link, those in it may not.
  private func open(_ folder: FilePath) -> OpaquePointer? {
    let path = folder.isEmpty ? root : root.pushing(folder)
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (folder.isEmpty ? 0 : O_NOFOLLOW)
    let descriptor = path.withPlatformString { Glibc.open($0, flags) }
    guard descriptor >= 0 else { return nil }
    if let stream = fdopendir(descriptor) { return stream }
    _ = Glibc.close(descriptor)
    return nil
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> FilePath.Component? {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let start = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    // `.` and `..` are no components that anything could be met in.
    return FilePath(platformString: start).lastComponent.flatMap { $0.kind == .regular ? $0 : nil }
  }

  private static func facts(
    of entry: UnsafeMutablePointer<dirent>, in folder: Int32
  ) -> Thing? {
    let type = Int32(entry.pointee.d_type)
    if type == Int32(DT_DIR) { return .folder }
    guard type == Int32(DT_REG) || type == Int32(DT_UNKNOWN) else { return nil }
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
    var facts = Glibc.stat()
    guard fstatat(folder, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    if facts.st_mode & S_IFMT == S_IFDIR { return .folder }
    let found = FileFacts(facts)
    return found.isRegular ? .file(found) : nil
  }
}
