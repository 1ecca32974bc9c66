import SystemPackage
import VmxLibrary
import VmxModel
import VmxStore
import VmxSystem

// A copy during an import has its own name, `import-UUID.part`, since its episode is not known
// before its bytes are read. The importing process holds the claim `import/UUID`, which the kernel
// releases when the process dies. So a copy whose claim is free is abandoned, and the next import
// removes it. The gigabytes of a killed import stay on the disk only until then.

/// Allocates paths for copies during an import, and removes abandoned copies.
struct ImportStaging {
  /// A path that this process owns while it holds the claim.
  struct Place {
    let file: FilePath
    let claim: Claim
  }

  private let store: LibraryStore

  init(_ store: LibraryStore) {
    self.store = store
  }

  /// Returns an unused path below a root, and creates its folder.
  ///
  /// - Throws: `lock-busy` if another process holds the claim of the new random name, and errors of
  ///   the file system.
  func place(below root: FilePath) throws -> Place {
    let folder = PartFiles.folder(below: root)
    try makeFolders(folder)
    try sweep(folder)
    let name = UniqueID.random()
    guard let id = Self.id(name), let claim = try store.claims.claim(id) else {
      throw Failure(.lockBusy, "'import/\(name)' is being worked on")
    }
    return Place(file: folder.appending("import-\(name).part"), claim: claim)
  }

  private func sweep(_ folder: FilePath) throws {
    for file in Self.names(in: folder) where file.hasPrefix("import-") && file.hasSuffix(".part") {
      guard let id = Self.id(file.dropFirst(7).dropLast(5)),
        let claim = try store.claims.claim(id)
      else { continue }
      defer { claim.release() }
      try Self.remove(folder.appending(file))
    }
  }

  private static func remove(_ file: FilePath) throws(FileError) {
    do throws(FileError) {
      try removeFile(file)
    } catch {
      // The owner published it and released the claim between the listing and this process's claim.
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
  }

  private static func id(_ name: some StringProtocol) -> EpisodeID? {
    EpisodeID(valid: "import/\(name)")
  }

  /// Lists a folder; after an error, the remaining copies are left to the next import.
  private static func names(in folder: FilePath) -> [String] {
    var names: [String] = []
    do throws(FileError) {
      let open = try OpenFolder(folder)
      while let entry = try open.next() {
        if let name = String(validating: entry.name, as: UTF8.self) { names.append(name) }
      }
    } catch {}
    return names
  }
}
