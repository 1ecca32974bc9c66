package import SystemPackage
package import VmxModel

/// A cache folder with a limited total size, for files that can be obtained again. Files are
/// replaced atomically and never flushed. Any process may delete any of them at any time.
package struct CacheFolder: Sendable {
  /// The folder, which is created by the first file.
  package let path: FilePath
  /// The maximum number of bytes of all files; the oldest ones are removed first.
  package let capacity: ByteCount

  /// Creates a cache in a folder.
  package init(path: FilePath, capacity: ByteCount) {
    self.path = path
    self.capacity = capacity
  }

  /// Writes a file, replacing an earlier one, and removes the oldest other files beyond the
  /// capacity.
  ///
  /// - Throws: `FileError`; the earlier file may then remain.
  package func keep(_ bytes: [UInt8], as name: String) throws(FileError) {
    try makeFolders(path)
    try AtomicFile.replace(path.appending(name), with: bytes, durable: false)
    try prune(sparing: path.appending(name))
  }

  /// Removes a file that another process may have removed already.
  ///
  /// - Throws: `FileError`.
  package func remove(_ file: FilePath) throws(FileError) {
    do throws(FileError) {
      try removeFile(file)
    } catch  where error.errno == .noSuchFileOrDirectory {
      return
    }
  }

  private func prune(sparing newest: FilePath) throws(FileError) {
    var files: [(path: FilePath, facts: FileFacts)] = []
    var total: Int64 = 0
    let open = try OpenFolder(path)
    while let entry = try open.next() {
      guard entry.kind == .file, let facts = try open.facts(of: entry.name) else { continue }
      total = total.addingClamped(facts.size)
      files.append((path.appending(entry: entry.name), facts))
    }
    guard total > capacity.bytes else { return }
    // Frees some additional space, so that not every new file has to remove another one.
    let goal = capacity.bytes / 10 * 9
    for (path, facts) in files.sorted(by: { $0.facts.modified < $1.facts.modified })
    where total > goal && path != newest {
      try remove(path)
      total -= facts.size
    }
  }
}
