import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// A file below a root that no record references.
struct UnrecordedFile: Sendable, Equatable {
  /// The path below the root.
  let path: PathBytes
  /// The state of the file when the scan found it.
  let facts: FileFacts

  /// The size, modification time and inode, by which a later check recognises the file.
  var mark: FileMark { FileMark(facts) }

  /// Whether the file was last modified more than a day ago, so that no process is using it.
  func isOld(at now: Timestamp) -> Bool { facts.isOlder(than: CleaningOptions.minAge, at: now) }

  /// Whether the file is the temporary file of a replacement that a crash interrupted.
  var isDraft: Bool { LibraryLayout.isTemporary(path.lastName.utf8) }
}

extension FileMark {
  /// The size, modification time and inode of an inspected file.
  init(_ facts: FileFacts) {
    self.init(size: facts.size, modified: facts.modified, inode: facts.inode)
  }
}

extension FileFacts {
  /// The time of the last modification.
  var modifiedAt: Timestamp { Timestamp(nanoseconds: modified) }

  /// Whether the last modification was longer ago than this.
  func isOlder(than milliseconds: Int64, at now: Timestamp) -> Bool {
    modifiedAt < now.adding(milliseconds: -milliseconds)
  }
}

extension PathBytes {
  /// Returns the path of an entry of this folder; the entry itself below the empty path.
  func appending(_ name: [UInt8]) -> PathBytes {
    PathBytes(bytes.isEmpty ? name : bytes + [UInt8(ascii: "/")] + name)
  }
}

extension MediaRoot {
  /// Lists the files in one of the folders in `.vmx`; empty if the folder does not exist.
  ///
  /// - Parameter isWanted: decides by the name whether a file is inspected.
  /// - Throws: `FileError`.
  func files(
    in folder: LibraryLayout.Folder, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [UnrecordedFile] {
    try files(below: folder.path, isWanted)
  }

  /// Lists the files in a folder below the root; empty if the folder does not exist.
  ///
  /// - Throws: `FileError`.
  func files(
    below path: String, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [UnrecordedFile] {
    let location = file(at: PathBytes(path))
    guard try FileFacts.of(location)?.isFolder == true else { return [] }
    let folder = try OpenFolder(location)
    var files: [UnrecordedFile] = []
    while let entry = try folder.next() {
      guard entry.kind == .file, isWanted(entry.name),
        let facts = try folder.facts(of: entry.name)
      else { continue }
      files.append(UnrecordedFile(path: PathBytes(path).appending(entry.name), facts: facts))
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Lists the temporary files in `.vmx` itself, of sidecars and of originals. A crash left them
  /// before the rename to the final name. Those in `.vmx/partial` are listed with the partial
  /// downloads.
  ///
  /// - Throws: the errors of `failures`.
  func temporaryFiles(_ failures: ReadFailures) throws -> [UnrecordedFile] {
    let folders: [LibraryLayout.Folder] = [.records, .shows, .originals]
    let paths = [LibraryLayout.hidden] + folders.map(\.path)
    return try paths.flatMap { path in
      try failures.attempt(at: PathBytes(path)) {
        try files(below: path) { name in
          LibraryLayout.isTemporary(name)
            || path == LibraryLayout.hidden && LibraryLayout.isDraftOfMark(name)
        }
      } ?? []
    }
  }
}
