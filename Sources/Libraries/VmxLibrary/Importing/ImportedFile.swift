package import SystemPackage
package import VmxModel
package import VmxStore

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
