import SystemPackage
package import VmxModel
package import VmxStore
import VmxSystem

/// The sidecar of an episode, as far as it concerns one file.
package struct SidecarStatus: Sendable {
  /// The digests of the file's segments; nil where the sidecar has none of these bytes.
  package let segments: [Digest]?
  /// Whether the sidecar names the file with its digest, has its segments, and whether the NFO file
  /// of a video has content. A sidecar that cannot be read counts as current: nothing is known of it.
  package let isCurrent: Bool

  /// The status for a file of the root.
  ///
  /// - Parameter wantsNFO: whether an NFO file belongs beside a video.
  package init(
    of part: MediaPart, _ file: JudgedFile, in episode: EpisodeID, on root: MediaRoot,
    wantsNFO: Bool
  ) {
    guard let whole = file.sha256, let size = file.size else {
      (segments, isCurrent) = (nil, true)
      return
    }
    do throws(FileError) {
      let sidecar = try Sidecar(of: episode, below: root.folder)
      let known = sidecar.segments(of: part.name, whole: whole, size: size)
      var isCurrent = known != nil && sidecar.describes(file)
      if isCurrent, wantsNFO, part.role == .video {
        let nfo = root.folder.appending(NFOFile.path(beside: file.path))
        isCurrent = try FileFacts.of(nfo).map { $0.size > 0 } ?? false
      }
      (segments, self.isCurrent) = (known, isCurrent)
    } catch {
      (segments, isCurrent) = (nil, true)
    }
  }
}
