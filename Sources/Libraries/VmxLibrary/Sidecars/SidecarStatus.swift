import SystemPackage
package import VmxModel
import VmxSystem

/// The status of an episode's sidecar for one file.
package struct SidecarStatus: Sendable {
  /// The file's segment digests; nil where the sidecar has none for these bytes.
  package let segments: [Digest]?
  /// Whether the sidecar names the file with its digest and has its segments, and a video's NFO
  /// file is not empty. An unreadable sidecar counts as current, since nothing is known of it.
  package let isCurrent: Bool

  /// Reads the status for a file of the root.
  ///
  /// - Parameter wantsNFO: whether a video has an NFO file.
  package init(
    of part: Part, _ file: JudgedFile, in episode: EpisodeID, on root: MediaRoot,
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
