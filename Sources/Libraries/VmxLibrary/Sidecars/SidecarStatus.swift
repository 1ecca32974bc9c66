import SystemPackage
package import VmxModel
import VmxSystem

/// The status of an episode's sidecar for one file.
package struct SidecarStatus: Sendable {
  /// The file's segment digests; nil if the sidecar has none for these bytes.
  package let segments: [Digest]?
  /// Whether the sidecar names the file with its digest and has its segments, a video's NFO file is
  /// not empty, and the folder of its show has one. An unreadable sidecar counts as current,
  /// because its content is unknown.
  package let isCurrent: Bool

  /// Reads the status for a file of the root.
  ///
  /// - Parameter wantsNFO: whether a video must have an NFO file.
  package init(
    of part: Part, _ file: RecordedFile, in episode: EpisodeID, on root: MediaRoot,
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
        let title = sidecar.record(of: episode)?["show_title"]?.string ?? episode.show
        if isCurrent,
          let show = LibraryLayout.showDescription(above: file.path, of: episode, title: title)
        {
          isCurrent = try FileFacts.of(root.folder.appending(show)) != nil
        }
      }
      (segments, self.isCurrent) = (known, isCurrent)
    } catch {
      (segments, isCurrent) = (nil, true)
    }
  }
}

/// The segment digests of one file, as kept in its sidecar.
package struct SegmentList: Sendable, Equatable {
  /// The SHA-256 of each segment, in order.
  package let digests: [Digest]

  /// Reads the list for a file of this digest and size; nil if the sidecar has none.
  ///
  /// - Parameter size: the size of the whole file.
  package init?(
    of part: String, in episode: EpisodeID, whole: Digest, size: ByteCount, on root: MediaRoot
  ) {
    do throws(FileError) {
      let sidecar = try Sidecar(of: episode, below: root.folder)
      guard let known = sidecar.segments(of: part, whole: whole, size: size) else { return nil }
      digests = known
    } catch {
      // Without segment digests the file is verified by its own digest.
      return nil
    }
  }
}

extension Sidecar {
  /// Returns the segment digests of a part, if they belong to a file of this digest and size.
  func segments(of part: String, whole: Digest, size: ByteCount) -> [Digest]? {
    guard let entry = segmentEntry(of: part), entry["sha256"]?.string == whole.hex,
      entry["size"]?.integer == SegmentMap.size, let list = entry["list"]?.array
    else { return nil }
    let digests = list.compactMap { $0.string.flatMap { Digest(.sha256, hex: $0) } }
    let count = size.bytes.addingClamped(SegmentMap.size - 1) / SegmentMap.size
    return digests.count == list.count && digests.count == count ? digests : nil
  }
}
