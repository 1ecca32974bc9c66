package import VmxModel
package import VmxStore
import VmxSystem

// A file has several owners if it was imported in place for several episodes. A file that vmx
// publishes has one, but another part may record its name before it tries to publish under it.

/// The parts whose records name some files, from one scan of the store.
///
/// One scan serves a batch of removals: `sharer` reads the present record of each part that it
/// found.
///
///     let owners = FileOwners(of: parts, in: try store.snapshot())
///     let other = try owners.sharer(of: part, in: id, below: root, isPublished: true, in: store)
package struct FileOwners: Sendable {
  /// A file, by the UUID of its root and its path below the root.
  package struct File: Sendable, Hashable {
    let root: String
    let path: PathBytes

    /// The hash of its path.
    fileprivate var hash: UInt64 {
      var hash = StableHash()
      hash.combine(path.bytes)
      return hash.value
    }

    /// Creates the name of a file.
    init(_ path: String, root: String) {
      (self.root, self.path) = (root, PathBytes(path))
    }

    /// Creates the name of a part's file; nil if the part has none.
    package init?(_ part: Part) {
      guard let root = part.root, let path = part.path else { return nil }
      self.init(path, root: root)
    }
  }

  /// A part whose record names a file.
  struct Owner: Sendable {
    let id: EpisodeID
    let part: Part

    /// Whether the part is checked and still has its partial file, so that the recorded name is
    /// only the intended one.
    func isUnpublished(below root: MediaRoot) throws(FileError) -> Bool {
      guard [part.state, part.resumeState].contains(.checked) else { return false }
      let files = PartFiles(root: root.folder, episode: id, name: part.name)
      return try FileFacts.of(files.partial) != nil
    }
  }

  private let owners: [File: [Owner]]

  /// Finds the owners of the files of parts; reads the paths of all episodes.
  package init(of parts: [Part], in snapshot: StoreSnapshot) {
    self.init(of: parts.compactMap { File($0) }, in: snapshot)
  }

  /// Finds the owners of files; reads the paths of all episodes.
  init(of files: [File], in snapshot: StoreSnapshot) {
    var owners = Dictionary(files.map { ($0, [Owner]()) }, uniquingKeysWith: { first, _ in first })
    let paths = Set(owners.keys.map(\.hash))
    if !paths.isEmpty {
      snapshot.summaries(
        unless: {
          { $0.parts.allSatisfy { $0.path.map { !paths.contains(StableHash.of($0)) } ?? true } }
        },
        { summary in
          for part in summary.parts {
            File(part).map { owners[$0]?.append(Owner(id: summary.id, part: part)) }
          }
          return true
        })
    }
    self.owners = owners
  }

  /// Whether the scan has searched for the owners of a part's file.
  package func includes(_ part: Part) -> Bool { File(part).map { owners[$0] != nil } ?? true }

  /// Returns the owners of a file.
  subscript(_ file: File) -> [Owner] { owners[file] ?? [] }

  /// Returns another episode for which the file of a part is kept when the part is removed; nil if
  /// there is none. The present records of the owners decide.
  ///
  /// An episode that is being removed itself needs no file. Of two removals at the same time, at
  /// least the one that is recorded last removes the file.
  ///
  /// - Parameter isPublished: whether the part has published its file. Else its recorded path is
  ///   only the intended one, and any file there belongs to the other owner.
  /// - Throws: `FileError`, errors of the store.
  package func sharer(
    of part: Part, in id: EpisodeID, below root: MediaRoot, isPublished: Bool,
    in store: LibraryStore
  ) throws -> EpisodeID? {
    guard let file = File(part) else { return nil }
    for found in self[file] where found.id != id {
      guard let episode = try store.snapshot().episode(found.id), episode.id != id,
        let present = episode.parts.first(where: { File($0) == file })
      else { continue }
      let owner = Owner(id: episode.id, part: present)
      guard isPublished else { return owner.id }
      // A missing file may return, but another episode may have a newer file of that name.
      let hasFile = owner.part.hasFile || owner.part.sha256 == part.sha256
      guard hasFile, !owner.part.isBeingRemoved else { continue }
      if try !owner.isUnpublished(below: root) { return owner.id }
    }
    return nil
  }
}
