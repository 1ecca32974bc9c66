package import SystemPackage
import VmxMarkup
package import VmxModel
package import VmxStore
import VmxSystem

// The folder of a show has an NFO file and a picture beside its episodes. Both are of the show:
// they go with its last episode, and follow its episodes to another folder. Each folder with
// episodes has files that vmx wrote; those of the user are moved with the last episode.

/// The NFO file and the picture in the folder of a show.
package struct ShowFiles {
  /// The number of names of which a folder has more only if it contains other files too.
  private static let maxNames = 12

  private let episode: Episode
  private let root: FilePath
  private let picture: ShowPicture?

  /// Finds the files by the current record of the show.
  ///
  /// - Parameters:
  ///   - episode: an episode of the show.
  ///   - root: the folder of the root.
  package init(of episode: Episode, below root: FilePath, in snapshot: StoreSnapshot) {
    self.episode = episode
    self.root = root
    picture = snapshot.readableShow(episode.id.show)?.picture
  }

  /// Removes the files that vmx wrote for the show, if its folder contains nothing else. They are
  /// written again with the next file.
  ///
  /// - Parameter path: the path of a file of the episode, below the root.
  /// - Returns: the path of the NFO file in that folder; nil if nothing was removed.
  /// - Throws: errors of the file system, `resources-short`.
  package func remove(above path: String) throws -> String? {
    guard let nfo = LibraryLayout.showDescription(above: path), try isUnused(nfo) else {
      return nil
    }
    let file = root.appending(nfo)
    try ShowPictureFiles(in: file.folder, of: picture).removeOwn()
    // Last: after a crash it is what `vmx clean` finds.
    try RegularFile.remove(file)
    return nfo
  }

  /// Returns the path of the NFO file that `remove` would remove; nil for none.
  ///
  /// - Throws: as `remove`.
  package func unusedNFO(above path: String) throws -> String? {
    guard let nfo = LibraryLayout.showDescription(above: path),
      try FileFacts.of(root.appending(nfo)) != nil, try isUnused(nfo)
    else { return nil }
    return nfo
  }

  /// Whether the folder of an NFO file contains only files that vmx wrote for the show.
  private func isUnused(_ nfo: String) throws -> Bool {
    let file = root.appending(nfo)
    let names = try ownNames(in: file.folder)
    guard !names.isEmpty else { return false }
    if names.contains(LibraryLayout.showDescription) {
      guard
        let there = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes),
        try EpisodeNFO.isUnchangedShow(there, of: episode.id.show)
      else { return false }
    }
    return try ShowPictureFiles(in: file.folder, of: picture).others.isEmpty
  }

  /// Returns the names in a folder if all are those of files of a show; else none.
  private func ownNames(in folder: FilePath) throws -> [String] {
    let names = try FolderNames(of: folder, limit: Self.maxNames).names
    let isOwn = names.allSatisfy {
      $0 == LibraryLayout.showDescription || LibraryLayout.isShowPicture($0.utf8)
    }
    return isOwn ? names : []
  }

  /// Copies the picture that vmx wrote to the present folder of the show, unless that has one.
  ///
  /// - Parameters:
  ///   - before: the previous path of a file of the episode, below the root.
  ///   - path: its current path.
  ///   - target: the folder of its current root; nil for the same root.
  /// - Throws: errors of the file system.
  package func copyPicture(
    above before: String, to path: String, below target: FilePath? = nil
  ) throws {
    // A folder that the user chose may be that of several shows.
    guard episode.folder == nil, let old = LibraryLayout.showDescription(above: before),
      let new = LibraryLayout.showDescription(above: path)
    else { return }
    let (source, folder) = (
      root.appending(old).folder, (target ?? root).appending(new).folder
    )
    // Two calls for each of many episodes that follow the first one.
    guard source != folder, let name = picture?.file,
      try FileFacts.of(source.appending(name)) != nil,
      try FileFacts.of(folder.appending(name)) == nil
    else { return }
    let files = try ShowPictureFiles(in: source, of: picture)
    let present = try ShowPictureFiles(in: folder, of: picture)
    guard let name = files.own.first, present.own.isEmpty, present.others.isEmpty,
      let bytes = try files.bytes()
    else { return }
    try present.write(bytes, as: name)
  }

  /// Moves the files of the show that the user has changed to the current folder of the episodes,
  /// if their own folder contains nothing else. They replace only files that vmx wrote.
  ///
  /// - Parameters:
  ///   - before: the previous path of a file of the episode, below the root.
  ///   - path: the current path of that file.
  /// - Returns: the path of the NFO file in the previous folder; nil if none was moved.
  func move(above before: String, to path: String) throws -> String? {
    // A folder that the user chose may be that of several shows.
    guard episode.folder == nil, let old = LibraryLayout.showDescription(above: before),
      let new = LibraryLayout.showDescription(above: path), old != new
    else { return nil }
    let (source, target) = (root.appending(old), root.appending(new))
    let names = try ownNames(in: source.folder)
    guard !names.isEmpty else { return nil }
    if names.contains(LibraryLayout.showDescription) { try moveNFO(source, to: target) }
    try movePictures(from: source.folder, to: target.folder)
    try syncFolder(target.folder)
    return old
  }

  private func moveNFO(_ source: FilePath, to target: FilePath) throws {
    func isOwn(_ file: FilePath) throws -> Bool? {
      try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes).map {
        try EpisodeNFO.isUnchangedShow($0, of: episode.id.show)
      }
    }
    guard try FileFacts.of(source)?.isRegular == true else { return }
    switch try isOwn(target) {
    case nil: try renameNoReplace(from: source, to: target)
    case true?:
      if try isOwn(source) == true {
        try RegularFile.remove(source)
      } else {
        try renameReplacing(from: source, to: target)
      }
    case false?: return
    }
  }

  private func movePictures(from source: FilePath, to target: FilePath) throws {
    let (old, new) = (
      try ShowPictureFiles(in: source, of: picture), try ShowPictureFiles(in: target, of: picture)
    )
    if !old.others.isEmpty, new.others.isEmpty {
      try new.removeOwn()
      for name in old.others {
        try renameNoReplace(from: source.appending(name), to: target.appending(name))
      }
    }
    try old.removeOwn()
  }
}
