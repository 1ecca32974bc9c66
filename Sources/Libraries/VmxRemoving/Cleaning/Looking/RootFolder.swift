import SystemPackage
import VmxLibrary
import VmxModel
import VmxSystem

/// The folders in `.vmx` of a root. Files there that follow the naming scheme of vmx belong to vmx.
struct RootFolder {
  /// The root.
  let root: MediaRoot

  /// Lists the files in one of the folders; empty if the folder does not exist.
  ///
  /// - Parameter isWanted: returns by the name whether a file is inspected.
  /// - Throws: `FileError`.
  func files(
    in folder: LibraryLayout.Folder, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [LooseFile] {
    try files(below: folder.path, isWanted)
  }

  /// Lists the files in a folder below the root; empty if the folder does not exist.
  ///
  /// - Throws: `FileError`.
  func files(
    below path: String, _ isWanted: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [LooseFile] {
    let place = root.file(at: PathBytes(path))
    guard try FileFacts.of(place)?.isFolder == true else { return [] }
    let folder = try OpenFolder(place)
    var files: [LooseFile] = []
    while let entry = try folder.next() {
      guard entry.kind == .file, isWanted(entry.name),
        let facts = try folder.facts(of: entry.name)
      else { continue }
      let path = Array("\(path)/".utf8) + entry.name
      files.append(LooseFile(path: PathBytes(path), facts: facts))
    }
    return files.sorted { $0.path < $1.path }
  }

  /// Lists the drafts in `.vmx` itself, of sidecars and of originals. A draft is a temporary file
  /// that a crash left before the rename to the final name. Drafts in `.vmx/partial` are listed
  /// with the partial downloads.
  ///
  /// - Throws: the errors of `failures`.
  func drafts(_ failures: ReadFailures) throws -> [LooseFile] {
    let folders: [LibraryLayout.Folder] = [.records, .originals]
    let places = [LibraryLayout.hidden] + folders.map(\.path)
    return try places.flatMap { place in
      try failures.attempt(at: PathBytes(place)) {
        try files(below: place) { name in
          LibraryLayout.isTemporary(name)
            || place == LibraryLayout.hidden && LibraryLayout.isDraftOfMark(name)
        }
      } ?? []
    }
  }
}
