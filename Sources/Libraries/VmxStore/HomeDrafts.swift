import Glibc
import SystemPackage
import VmxModel
import VmxSystem

// A process that is killed while it replaces a file of the home leaves the draft of that file. The
// draft of `secrets.jsonl` holds all passwords. Drafts in the home are written under the write lock
// only, so whoever has that lock may remove any that it finds.

/// Files in the home that only a crash leaves behind.
struct HomeDrafts {
  let home: LibraryHome

  /// Drafts of whole files that are replaced.
  ///
  /// - Throws: `FileError`.
  func atomic() throws(FileError) -> [FilePath] {
    var drafts: [FilePath] = []
    let folder = try OpenFolder(home.folder, followingLinks: true)
    while let entry = try folder.next() {
      guard entry.kind == .file, AtomicFile.isTemporary(entry.name),
        let name = FilePath.Component(String(decoding: entry.name, as: UTF8.self))
      else { continue }
      drafts.append(home.folder.appending(name))
    }
    return drafts
  }

  /// What a compaction writes; only the holder of its job lock may remove it.
  ///
  /// - Throws: `FileError`.
  func ofCompaction() throws(FileError) -> [FilePath] {
    var drafts: [FilePath] = []
    for path in [home.fresh, home.freshSnapshot] where try FileFacts.of(path) != nil {
      drafts.append(path)
    }
    return drafts
  }

  /// Removes some of them; one that is gone already is no failure.
  ///
  /// - Throws: `FileError`.
  static func remove(_ drafts: [FilePath]) throws(FileError) {
    for draft in drafts where draft.withPlatformString({ unlink($0) }) != 0 {
      guard Errno.last != .noSuchFileOrDirectory else { continue }
      throw .failed(.remove, draft, .last)
    }
  }

  /// Removes the drafts of whole files; the caller has the write lock.
  ///
  /// A failure is no failure of the caller: a checkup tells of drafts that stay.
  func sweep() {
    do throws(FileError) {
      try Self.remove(try atomic())
    } catch {
      // What could not be removed now is tried by the next writer.
    }
  }
}
