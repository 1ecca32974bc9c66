package import SystemPackage
import VmxDigest
import VmxMarkup
package import VmxModel
import VmxNaming
import VmxSystem

// An NFO file may come from the user, a player or a metadata tool. So vmx replaces only a file that
// has the digest of its own last version, as kept in the sidecar. A file that was changed since, or
// existed before, is kept. A file that contains only zeros is the result of a power cut: no user
// and no program writes one, so it is replaced.

/// The NFO file beside a video.
package struct NFOFile {
  /// The version that vmx wrote, as kept in the sidecar.
  package struct Written: Sendable, Equatable {
    /// The path below the root.
    package let path: String
    /// The SHA-256 of the whole file.
    package let sha256: String
  }

  /// The folder of the root.
  let root: FilePath

  /// Returns the path of a video's NFO file, below the root.
  static func path(beside video: String) -> String {
    MediaName.path(beside: video, part: Part(role: .metadata, variants: []), fileExtension: "nfo")
  }

  /// Writes the document to a temporary file beside the video, unless a file of the user or another
  /// program exists there.
  ///
  /// - Parameter before: the version kept in the sidecar.
  /// - Returns: the version to keep in the sidecar, nil if vmx did not write the existing file; and
  ///   the temporary file, nil if nothing is to be written.
  func draft(
    _ bytes: [UInt8], beside video: String, _ before: Written?
  ) throws -> (written: Written?, draft: TemporaryFile?) {
    let path = Self.path(beside: video)
    let file = root.appending(path)
    guard let there = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes) else {
      let draft = try TemporaryFile(of: file, bytes, mode: .published, replaces: false)
      return (written(path, bytes), draft)
    }
    if there == bytes { return (written(path, bytes), nil) }
    let isOurs = before.map { $0 == written(path, there) } ?? false
    guard isOurs || there.allSatisfy({ $0 == 0 }) else { return (nil, nil) }
    return (written(path, bytes), try TemporaryFile(of: file, bytes, mode: .published))
  }

  /// Removes the unchanged NFO file of a video that has moved to another path.
  func removeUnchanged(_ before: Written) throws {
    let file = root.appending(before.path)
    guard let there = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes),
      before == written(before.path, there)
    else { return }
    try RegularFile.remove(file)
  }

  private func written(_ path: String, _ bytes: [UInt8]) -> Written {
    Written(path: path, sha256: DigestHasher.sha256(of: bytes).hex)
  }
}

extension NFOFile {
  /// Removes the NFO file that vmx wrote for the show of an episode, if the folder of the show
  /// contains nothing else. It is written again with the next file.
  ///
  /// - Parameters:
  ///   - path: the path of a file of the episode, below the root.
  ///   - root: the folder of the root.
  /// - Returns: the path of the removed file; nil if none was removed.
  /// - Throws: `FileError`, `resources-short`.
  package static func removeShow(
    of episode: Episode, above path: String, below root: FilePath
  ) throws -> String? {
    guard let show = try unusedShow(of: episode, above: path, below: root) else { return nil }
    try RegularFile.remove(root.appending(show))
    return show
  }

  /// Returns the path of the NFO file that `removeShow` would remove; nil for none.
  ///
  /// - Throws: as `removeShow`.
  package static func unusedShow(
    of episode: Episode, above path: String, below root: FilePath
  ) throws -> String? {
    guard let show = LibraryLayout.showDescription(above: path),
      let there = try RegularFile.prefixIfPresent(
        of: root.appending(show), upTo: NFOContents.maxBytes),
      try EpisodeNFO.isUnchangedShow(there, of: episode.id.show),
      try isOnlyFile(root.appending(show))
    else { return nil }
    return show
  }

  /// Moves an NFO file of a show that the user has changed to the current folder of the episodes,
  /// if its own folder contains nothing else. It replaces only a file that vmx wrote.
  ///
  /// - Parameters:
  ///   - before: the previous path of a file of the episode, below the root.
  ///   - path: the current path of that file.
  ///   - root: the folder of the root.
  /// - Returns: the path of the moved file; nil if none was moved.
  static func moveShow(
    of episode: Episode, above before: String, to path: String, below root: FilePath
  ) throws -> String? {
    // A folder that the user chose may be that of several shows.
    guard episode.folder == nil, let show = LibraryLayout.showDescription(above: before),
      let target = LibraryLayout.showDescription(above: path), show != target,
      try FileFacts.of(root.appending(show))?.isRegular == true,
      try isOnlyFile(root.appending(show))
    else { return nil }
    if let there = try RegularFile.prefixIfPresent(
      of: root.appending(target), upTo: NFOContents.maxBytes)
    {
      guard try EpisodeNFO.isUnchangedShow(there, of: episode.id.show) else { return nil }
      try renameReplacing(from: root.appending(show), to: root.appending(target))
    } else {
      try renameNoReplace(from: root.appending(show), to: root.appending(target))
    }
    try syncFolder(root.appending(target).folder)
    return show
  }

  /// Whether the folder of a file contains nothing else; false also if another process has removed
  /// it.
  private static func isOnlyFile(_ file: FilePath) throws(FileError) -> Bool {
    let name = file.lastComponent?.string ?? ""
    do throws(FileError) {
      return try names(in: file.folder) == [name]
    } catch  where error.errno == .noSuchFileOrDirectory {
      return false
    }
  }

  private static func names(in path: FilePath) throws(FileError) -> [String] {
    let folder = try OpenFolder(path)
    var names: [String] = []
    while let entry = try folder.next() {
      names.append(String(decoding: entry.name, as: UTF8.self))
      if names.count > 1 { break }
    }
    return names
  }
}

extension Episode {
  /// Whether a part of the episode is an NFO file, or may become one.
  var includesNFO: Bool {
    parts.contains { part in
      guard part.role == .metadata, part.state != .removed else { return false }
      let names = [part.path].compactMap { $0 } + part.urls
      return names.contains { name in
        let plain = name.prefix { $0 != "?" && $0 != "#" }
        return plain.lowercased().hasSuffix(".nfo")
      }
    }
  }
}
