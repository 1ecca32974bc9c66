import SystemPackage
import VmxDigest
import VmxMarkup
import VmxModel
import VmxNaming
import VmxSystem

// An NFO file may come from the user, a player or a metadata tool. So vmx replaces only a file that
// has the digest of its own last version, as kept in the sidecar, and keeps the elements in it that
// it does not write (`NFOMerge`). A file that was changed since, and that names the episode, as
// when Kodi exports its library, keeps all that it says and gets the newer marks. One that does not
// name it is kept as it is. A file that contains only zeros is the result of a power cut: no user
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

  /// Writes the document to a temporary file beside the video, with the elements of the file that
  /// lies there. A file that was edited since vmx wrote it keeps all that it says, and gets only
  /// what has changed in the record; one that does not name the episode is not touched.
  ///
  /// - Parameters:
  ///   - bytes: the generated document.
  ///   - before: the version kept in the sidecar.
  ///   - sources: the other documents of the episode.
  /// - Returns: the version to keep in the sidecar, nil if vmx did not write the existing file; and
  ///   the temporary file, nil if nothing is to be written.
  func draft(
    _ bytes: [UInt8], beside video: String, _ before: Written?, from sources: NFOSources
  ) throws -> (written: Written?, draft: TemporaryFile?) {
    let path = Self.path(beside: video)
    let file = root.appending(path)
    let there = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes)
    if there == bytes, sources.taken == nil { return (written(path, bytes), nil) }
    let isLost = there?.allSatisfy { $0 == 0 } ?? true
    if let there, !isLost, written(path, there).sha256 != before?.sha256 {
      guard let edited = try sources.updated(there, by: bytes), edited != there else {
        return (nil, nil)
      }
      return (nil, try TemporaryFile(of: file, edited, mode: .published))
    }
    // The file of a renamed video is replaced too.
    let kept = try isLost ? before.flatMap(unchanged) : there
    let merged = try sources.merged(bytes, keeping: kept)
    guard merged != there else { return (written(path, merged), nil) }
    let draft = try TemporaryFile(of: file, merged, mode: .published, replaces: there != nil)
    return (written(path, merged), draft)
  }

  /// Returns the bytes of the version kept in the sidecar; nil if it is missing or was changed.
  func unchanged(_ before: Written) throws -> [UInt8]? {
    let file = root.appending(before.path)
    let there = try RegularFile.prefixIfPresent(of: file, upTo: NFOContents.maxBytes)
    return there.flatMap { before == written(before.path, $0) ? $0 : nil }
  }

  /// Removes the unchanged NFO file of a video that has moved to another path.
  func removeUnchanged(_ before: Written) throws {
    guard try unchanged(before) != nil else { return }
    try RegularFile.remove(root.appending(before.path))
  }

  private func written(_ path: String, _ bytes: [UInt8]) -> Written {
    Written(path: path, sha256: DigestHasher.sha256(of: bytes).hex)
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
