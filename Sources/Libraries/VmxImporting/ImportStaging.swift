import SystemPackage
import VmxJobs
import VmxModel
import VmxStore
import VmxSystem

// A copy on its way in has a name of its own, `import-UUID.part`, since its episode is not known
// before its bytes are. Whoever makes it holds the claim `import/UUID` meanwhile; the kernel drops
// that when the process dies. So a copy whose claim is free belongs to nobody, and the next import
// removes it: a killed import of a film leaves its gigabytes for so long and no longer.

/// Hands out names for copies on their way into the library, and removes those left behind.
struct ImportStaging {
  /// A name that is ours while the claim is held.
  struct Place {
    let file: FilePath
    let claim: Claim
  }

  private let store: LibraryStore

  init(_ store: LibraryStore) {
    self.store = store
  }

  /// A free name below a root, in a folder that is there afterwards.
  ///
  /// - Throws: `lock-busy` if somebody holds the claim of a name that nobody can have heard of.
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
      // Its owner placed it and let go between our look and our claim.
      guard error.errno == .noSuchFileOrDirectory else { throw error }
    }
  }

  private static func id(_ name: some StringProtocol) -> EpisodeID? {
    EpisodeID(valid: "import/\(name)")
  }

  /// What cannot be listed is left to the next import.
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
