import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// A process that is killed while it replaces a file of the home leaves a temporary file behind. The
// temporary file of `secrets.jsonl` contains all passwords. Such files are written only under the
// write lock. So a process that holds the write lock may remove all that it finds.

/// Temporary files in the home that a crash leaves behind.
struct HomeDrafts {
  let home: LibraryHome

  /// Returns the temporary files of atomic replacements.
  ///
  /// - Throws: `FileError`.
  func atomic() throws(FileError) -> [FilePath] {
    var drafts: [FilePath] = []
    let folder = try OpenFolder(home.folder, followingLinks: true)
    while let entry = try folder.next() {
      guard entry.kind == .file, LibraryLayout.isTemporary(entry.name),
        let name = FilePath.Component(String(decoding: entry.name, as: UTF8.self))
      else { continue }
      drafts.append(home.folder.appending(name))
    }
    return drafts
  }

  /// Returns the temporary files of a compaction; only the holder of the compaction lock may remove
  /// them.
  ///
  /// - Throws: `FileError`.
  func ofCompaction() throws(FileError) -> [FilePath] {
    var drafts: [FilePath] = []
    for path in [home.fresh, home.freshSnapshot] where try FileFacts.of(path) != nil {
      drafts.append(path)
    }
    return drafts
  }

  /// Removes the given files and skips those that are already gone.
  ///
  /// - Throws: `FileError`.
  static func remove(_ drafts: [FilePath]) throws(FileError) {
    for draft in drafts where draft.withPlatformString({ unlink($0) }) != 0 {
      guard Errno.last != .noSuchFileOrDirectory else { continue }
      throw .failed(.remove, draft, .last)
    }
  }

  /// Removes the temporary files of atomic replacements. The caller holds the write lock.
  ///
  /// Ignores failures: `vmx doctor` reports files that remain.
  func sweep() {
    do throws(FileError) {
      try Self.remove(try atomic())
    } catch {
      // The next writer tries again.
    }
  }
}
