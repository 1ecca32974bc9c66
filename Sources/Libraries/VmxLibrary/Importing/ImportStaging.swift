package import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

// A copy during an import has its own name, `import-UUID.part` or `import-UUID.N.part`, since its
// episode is not known before its bytes are read. The importing process holds the claim
// `import/UUID`, which the kernel releases when the process dies. So a copy whose claim is free is
// abandoned, and the next import removes it. The gigabytes of a killed import stay on the disk only
// until then.

/// Allocates paths for copies during an import, and removes abandoned copies.
package struct ImportStaging {
  /// Paths that this process owns while it holds the claim.
  package struct Location: Sendable {
    /// The path of the first copy.
    package let file: FilePath
    /// The claim; once it is released the copies are abandoned.
    package let claim: Claim
    private let root: FilePath
    private let name: String
    private let id: EpisodeID

    fileprivate init(below root: FilePath, name: String, for id: EpisodeID, claim: Claim) {
      self.root = root
      self.name = name
      self.id = id
      self.claim = claim
      file = root.appending(LibraryLayout.importing(name))
    }

    /// Returns the path of a further copy of the same import.
    package func file(_ number: Int) -> FilePath {
      root.appending(LibraryLayout.importing("\(name).\(number)"))
    }

    /// Removes the copies that have not become files of parts, and releases the claim.
    package func release() {
      let folder = file.folder
      ImportStaging.forEachCopy(in: folder) { name, id in
        guard id == self.id else { return }
        RegularFile.discard(folder.appending(name))
      }
      claim.release()
    }
  }

  private let store: LibraryStore

  /// Creates the staging of a store.
  package init(_ store: LibraryStore) {
    self.store = store
  }

  /// Returns an unused path below a root, and creates its folder.
  ///
  /// - Throws: `lock-busy` if another process holds the claim of the new random name, and errors of
  ///   the file system.
  package func location(in root: MediaRoot) throws -> Location {
    let folder = root.folder.appending(LibraryLayout.Folder.partial.path)
    try root.makeFolders(folder)
    try sweep(folder)
    let name = randomUUID()
    guard let id = LibraryLayout.importID(name), let claim = try store.claims.claim(id) else {
      throw Failure(.lockBusy, "another process uses 'import/\(name)'")
    }
    return Location(below: root.folder, name: name, for: id, claim: claim)
  }

  /// Removes abandoned copies. All copies of an import have the same claim.
  private func sweep(_ folder: FilePath) throws {
    var claims: [EpisodeID: Claim?] = [:]
    defer { for case let claim? in claims.values { claim.release() } }
    try Self.forEachCopy(in: folder) { name, id in
      let claim = try claims[id] ?? store.claims.claim(id)
      claims[id] = .some(claim)
      if claim != nil { try RegularFile.remove(folder.appending(name)) }
    }
  }

  /// Calls the body with the name and claim of each copy, of which a killed import may leave a
  /// million. An error of reading the folder ends the list. The body may remove the copy.
  private static func forEachCopy(
    in folder: FilePath, _ body: (_ name: String, EpisodeID) throws -> Void
  ) rethrows {
    var names: [(String, EpisodeID)] = []
    do throws(FileError) {
      let open = try OpenFolder(folder)
      while let entry = try open.next() {
        if let name = String(validating: entry.name, as: UTF8.self),
          case .importing(let id)? = LibraryLayout.partial(named: name)
        {
          names.append((name, id))
        }
      }
    } catch {
      // The next import finds the rest.
    }
    for (name, id) in names { try body(name, id) }
  }
}

/// A whole file on the root's file system, which becomes the file of a part.
package struct ImportedFile: Sendable {
  /// Its current path; the file no longer has it once the part is ready.
  package let path: FilePath
  /// The name of the part.
  package let part: String
  /// Its size, digest and segments, as computed from these bytes.
  package let found: FoundBytes

  /// Creates a file of a part.
  package init(_ path: FilePath, part: String, found: FoundBytes) {
    self.path = path
    self.part = part
    self.found = found
  }
}

/// Publishes files as parts of a recorded episode, under its claim if the caller holds it. Returns
/// the episode as recorded then, and the failure to write its sidecar or NFO file.
package typealias FilePublication =
  @Sendable ([ImportedFile], EpisodeID, MediaRoot, Claim?) throws -> (
    episode: Episode, unsaved: Failure?
  )
